/** What people are told of homework, the grade sheet, and names inside the zip of submissions. */
export const homeworkTold = {
  set: (course: string, title: string) => `《${course}》有新作业：${title}`,
  setText: (due: string, zone: string) => `截止时间 ${due}（${zone}）。`,
  due: (course: string, title: string) => `《${course}》的作业“${title}”改了截止时间`,
  dueText: (due: string, zone: string) => `新的截止时间 ${due}（${zone}）。`,
  graded: (course: string, title: string) => `《${course}》的作业“${title}”已批改`,
  gradedText: '打开作业查看分数和评语。',
  reset: (course: string, title: string) => `《${course}》的作业“${title}”可以重新提交`,
  resetText: '教师收回了分数和评语，您可以修改后再次提交。',
  sheet: '成绩',
  columns: { StudentID: '学号', Name: '姓名', Score: '分数', Comment: '评语' },
  /** What these columns may be called in a sheet that comes back. */
  headings: {
    StudentID: '学号,学生编号',
    Name: '姓名,名字',
    Score: '分数,成绩,得分',
    Comment: '评语,评价,备注',
  },
  textFile: '正文',
} as const;
