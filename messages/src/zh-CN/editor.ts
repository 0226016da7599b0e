/** The editor of Markdown texts. */
export const editor = {
  toolbar: '格式',
  bold: '粗体',
  italic: '斜体',
  heading: '小标题',
  list: '列表',
  code: '代码块',
  formula: '公式',
  table: '表格',
  link: '链接',
  picture: '图片或视频',
  mode: '显示',
  modes: { write: '编写', both: '对照', preview: '预览' },
  onlyWriting: '在编写时可用',
  placeholder: '用 Markdown 书写；图片可以粘贴或拖进来',
  empty: '还没有内容',
  hint: '支持标题、列表、代码、公式、表格与图片',
} as const;
