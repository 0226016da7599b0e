/** Software: its catalogue, and the page on which it runs. */
export const software = {
  title: '软件',
  lead: '不用安装，打开就在浏览器里使用；文件保存在您的 data。',
  searchIn: (total: number) => `在 ${total} 个软件中查找`,
  searchLabel: '查找软件',
  types: { 1: '桌面', 2: '笔记本', 3: '网页 IDE', 4: '网格作业' },
  list: '软件列表',
  uses: (count: string) => `打开过 ${count} 次`,
  found: (total: number) => `找到 ${total} 个软件`,
  emptyTitle: '没有符合条件的软件',
  emptySite: '还没有发布软件',
  emptySiteText: '发布后会出现在这里。',
  backLabel: '离开，回到软件列表',
  documentRegion: '软件说明',
  lifetime: (minutes: string) => `每次 ${minutes}，可以续期`,
} as const;
