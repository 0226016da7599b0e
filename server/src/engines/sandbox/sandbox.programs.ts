/** For the contract test: programs in each language that add two numbers, or fail to. */
import { ProgrammingLanguage } from '@hypercube/contract';

interface LanguagePrograms {
  readonly name: string;
  readonly language: ProgrammingLanguage;
  /** Reads two numbers, prints their sum. */
  readonly right: string;
  readonly broken: string;
  /** What the compiler says of it. */
  readonly complaint: string;
  readonly crash: {
    readonly source: string;
    readonly exitCode: number | null;
    readonly signal: number | null;
    readonly says: string;
  };
  readonly endless: string;
  /** Takes memory until there is none. */
  readonly greedy: string;
}

const STDIO = '#include <stdio.h>\n';
const ENDLESS = 'int main(){for(volatile long i=0;;i++);}';
const GREEDY =
  '#include <stdlib.h>\n#include <string.h>\nint main(){for(;;){char*p=malloc(1<<20);memset(p,1,1<<20);}}';
const IN_C = {
  broken: 'int main(){return x;}',
  complaint: 'main.c:1:19: error:',
  crash: { source: 'int main(){*(volatile int*)0=1;}', exitCode: null, signal: 11, says: '' },
  endless: ENDLESS,
  greedy: GREEDY,
};
const java = (body: string): string =>
  `import java.util.*;\npublic class Main { public static void main(String[] a) { ${body} } }`;
const mpi = (body: string): string =>
  `#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(int c,char**v){int r;MPI_Init(&c,&v);MPI_Comm_rank(MPI_COMM_WORLD,&r);${body}MPI_Finalize();return 0;}`;

export const PROGRAMS: readonly LanguagePrograms[] = [
  {
    name: 'C',
    language: ProgrammingLanguage.c,
    right: `${STDIO}int main(){int a,b;scanf("%d %d",&a,&b);printf("%d\\n",a+b);}`,
    ...IN_C,
  },
  {
    name: 'C++',
    language: ProgrammingLanguage.cpp,
    right: '#include <iostream>\nint main(){int a,b;std::cin>>a>>b;std::cout<<a+b<<std::endl;}',
    broken: 'int main(){return x;}',
    complaint: 'main.cpp:1:19: error:',
    crash: {
      source: '#include <stdexcept>\nint main(){throw std::runtime_error("出错了");}',
      exitCode: null,
      signal: 6,
      says: '出错了',
    },
    endless: ENDLESS,
    greedy: '#include <vector>\nint main(){std::vector<long> v;for(;;)v.push_back(1);}',
  },
  {
    name: 'Python',
    language: ProgrammingLanguage.python,
    right: 'import numpy\na, b = map(int, input().split())\nprint(numpy.array([a, b]).sum())',
    broken: 'print(',
    complaint: 'SyntaxError',
    crash: { source: 'raise SystemExit(7)', exitCode: 7, signal: null, says: '' },
    endless: 'while True: pass',
    greedy: 'a = []\nwhile True: a.append(bytes(1 << 20))',
  },
  {
    name: 'Java',
    language: ProgrammingLanguage.java,
    right: java(
      'Scanner s = new Scanner(System.in); System.out.println(s.nextInt() + s.nextInt());',
    ),
    broken: java('return x;'),
    complaint: 'Main.java:2: error:',
    crash: {
      source: java('throw new IllegalStateException("出错了");'),
      exitCode: 1,
      signal: null,
      says: 'IllegalStateException',
    },
    endless: java('for (long i = 0;; i++) if (i < 0) i = 0;'),
    greedy: java('List<byte[]> l = new ArrayList<>(); for (;;) l.add(new byte[1 << 20]);'),
  },
  {
    name: 'OpenMP',
    language: ProgrammingLanguage.openmp,
    right: `${STDIO}int main(){int a,b,n=0;scanf("%d %d",&a,&b);\n#pragma omp parallel for reduction(+:n)\nfor(int i=0;i<1000;i++)n+=a+b;\nprintf("%d\\n",n/1000);}`,
    ...IN_C,
    endless: 'int main(){\n#pragma omp parallel\nfor(volatile long i=0;;i++);}',
  },
  {
    name: 'MPI',
    language: ProgrammingLanguage.mpi,
    right: mpi(
      'int a=0,b=0,s;if(!r)scanf("%d %d",&a,&b);a+=b;MPI_Reduce(&a,&s,1,MPI_INT,MPI_SUM,0,MPI_COMM_WORLD);if(!r)printf("%d\\n",s);',
    ),
    broken: 'int main(){return x;}',
    complaint: 'main.c:1:19: error:',
    crash: { source: mpi('if(r)exit(9);'), exitCode: 9, signal: null, says: 'exit' },
    endless: mpi('for(volatile long i=0;;i++);'),
    greedy: mpi('for(;;){char*p=malloc(1<<20);memset(p,1,1<<20);}'),
  },
  {
    name: 'pthread',
    language: ProgrammingLanguage.pthread,
    right: `${STDIO}#include <pthread.h>\nstatic int n[2],s;static void*add(void*p){__atomic_add_fetch(&s,*(int*)p,5);return p;}\nint main(){pthread_t t[2];scanf("%d %d",n,n+1);for(int i=0;i<2;i++)pthread_create(t+i,0,add,n+i);for(int i=0;i<2;i++)pthread_join(t[i],0);printf("%d\\n",s);}`,
    ...IN_C,
  },
];
