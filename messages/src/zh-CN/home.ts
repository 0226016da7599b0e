/** The home page. */
export const home = {
  title: '首页',
  description: '打开浏览器就有编译器、MPI 与笔记本：在真实的机器上学会并行计算。',
  heroLine1: '在真实的机器上',
  heroLine2: '学会并行计算',
  lead: '打开浏览器就有编译器、MPI 与笔记本；写下代码，看它在 1、2、4、8 个进程上怎样变快，也看清它为什么没有更快。',
  browse: '浏览全部实验',
  login: '登录后开始',
  resume: (title: string) => `继续：${title}`,
  labs: '实验',
  tasks: '任务',
  tags: '标签',
  runningUsages: '正在运行的环境',
  continueTitle: '接着上次',
  continueEmpty: '现在没有运行中的环境。选一个实验，几秒后就能写下第一行代码。',
  newest: '最近上新',
  all: '全部',
  newestEmpty: '还没有发布实验。',
  engineDown: '实验环境暂时不能打开；文档仍可阅读。',
  engineReason: (reason: string) => `原因（仅工作人员可见）：${reason}`,
  imagesBuilding: (ready: number, total: number) =>
    `正在准备环境镜像：已完成 ${ready} / ${total}。第一次打开环境会稍久。`,
} as const;
