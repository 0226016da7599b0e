/** What every catalogue (labs, software) says: filters, order, nothing found. */
export const filters = {
  label: '筛选',
  domain: '方向',
  type: '类型',
  tag: '标签',
  sort: '排序',
  all: '全部',
  sorts: { comprehensive: '综合', latest: '最新', hottest: '最热' },
  removeTag: (tag: string) => `去掉标签 ${tag}`,
  emptyText: '去掉一些筛选条件，或换一个关键词。',
  clear: '清除全部筛选',
} as const;
