/** The lists of the admin area. */
export const table = {
  all: '全部',
  columns: '列',
  export: '导出',
  clear: '清除条件',
  actions: '操作',
  selectAll: '选择本页全部',
  select: (name: string) => `选择 ${name}`,
  selected: (count: number) => `已选 ${count} 项`,
  sort: '排序',
  usualSort: '默认顺序',
  sortBy: (column: string) => `按${column}排序`,
  unsort: (column: string) => `按${column}排序（已选），回到默认顺序`,
  found: (count: number) => `共 ${count} 项`,
  nothingFound: '没有符合条件的内容',
  nothingFoundText: '换一个词，或清除筛选条件。',
  nothingYet: '这里还没有内容',
} as const;
