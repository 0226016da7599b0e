import v8 from 'node:v8';
const show=(l)=>{const m=process.memoryUsage();console.log(l,JSON.stringify(Object.fromEntries(Object.entries(m).map(([k,v])=>[k,(v/1e6).toFixed(0)]))));};
await import('/work/main/server/src/system.ts'); show('system imported');
gc();gc(); show('gc');
console.log(v8.getHeapSpaceStatistics().map(s=>s.space_name+' '+(s.space_size/1e6).toFixed(0)+'/'+(s.space_used_size/1e6).toFixed(0)).join(', '));
await gc({type:'major',execution:'sync',flavor:'last-resort'}); show('last resort');
await new Promise(r=>setTimeout(r,10000)); show('10 s later');
