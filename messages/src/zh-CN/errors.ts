/** The text of every error code. Where work could be in doubt, it says what happened to it. */
import { list, number, titlesOf } from '../values.ts';
import type { ErrorTexts } from '../types.ts';

const after = (value: unknown): string => {
  const seconds = number(value);
  if (seconds === null) return '请稍后再试';
  return seconds > 90
    ? `请在 ${Math.ceil(seconds / 60)} 分钟后再试`
    : `请在 ${Math.ceil(seconds)} 秒后再试`;
};
const names = (value: unknown): string => list(value, '、');
const mebibytes = (value: unknown): string => {
  const bytes = number(value);
  return bytes === null ? '' : `。上限是 ${(bytes / 1_048_576).toFixed(1)} MiB`;
};

const zipReasons: Readonly<Record<string, string>> = {
  traversal: '有指向外面的路径',
  link: '有链接或特殊文件',
  too_many: '文件太多',
  too_large: '解压后太大',
  ratio: '压缩比异常',
  encrypted: '有密码',
  damaged: '文件损坏',
  name: '文件名不能用',
  empty: '里面没有文件',
};

const testsReasons: Readonly<Record<string, string>> = {
  folder: '里面有文件夹，文件要直接放在压缩包里',
  foreign: '只能有 input1.txt 和 output1.txt 这样的文件',
  number: '编号从 1 开始，前面不加 0',
  pair: '少了一对里的这个文件',
  gap: '编号不连续，少了这个文件',
  too_many: '最多 100 组',
};

export const errors: ErrorTexts = {
  invalid_input: (params) => {
    const fields = names(params['Fields']);
    return fields === ''
      ? '填写的内容有误，没有保存'
      : `填写的内容有误，没有保存。请检查：${fields}`;
  },
  body_too_large: (params) => {
    const limit = number(params['LimitBytes']);
    return limit === null
      ? '内容太大，没有保存'
      : `内容太大，没有保存。上限是 ${(limit / 1_048_576).toFixed(1)} MiB`;
  },
  unsupported_media_type: '不支持这种内容格式，没有保存',
  not_found: '内容不存在或已被删除',
  not_signed_in: '您还没有登录，请先登录',
  forbidden: '您没有做这件事的权限，什么都没有改变',
  foreign_origin: '这个请求来自别的网站，已被拒绝，什么都没有改变',
  too_many_requests: (params) => `操作太频繁，${after(params['RetryAfterSeconds'])}`,
  internal: '服务器出了问题，这次操作可能没有完成；之前保存的内容不受影响',
  storage_full: '个人空间不足，没有写入任何文件。请先清理一些文件',
  wrong_credentials: '用户名或密码不正确',
  too_many_guesses: (params) => `尝试次数太多，${after(params['RetryAfterSeconds'])}`,
  account_disabled: '这个账号已停用，请联系管理员',
  captcha_failed: '人机验证没有通过，请再验证一次',
  captcha_unavailable: '人机验证服务暂时不可用，请稍后再试；填写的内容还在',
  captcha_not_ours: '人机验证的设置刚刚改变，请刷新页面后再试',
  wrong_code: '验证码不正确或已失效，请检查，或重新获取',
  code_too_soon: (params) => `刚刚已经发过邮件，${after(params['RetryAfterSeconds'])}`,
  username_taken: '这个用户名已被使用，请换一个',
  email_taken: '这个邮箱已被使用，请换一个',
  reset_link_invalid: '链接已失效或已经用过，密码没有修改。请重新申请',
  registration_closed: '这里现在不开放注册，请联系管理员。',
  registration_domain: ({ Domains }) =>
    `只有这些邮箱可以注册：${Array.isArray(Domains) ? Domains.join('、') : ''}`,
  registration_identity: '您选择的身份不能自行注册，请联系管理员。',
  secret_needed: '请填写密码或密钥：还没有保存过，或者它所属的地址、用户名改了。',
  mail_off: '没有设置邮件服务器，邮件只留在本机。',
  mail_not_failed: '这封邮件没有在等待重发，没有改变',
  wrong_original_password: '密码不正确，什么都没有改变',
  password_not_set: '这个账号还没有密码。请先用“忘记密码”设置一个',
  sso_failed: '第三方登录没有成功，请再试一次',
  sso_unavailable: '第三方登录暂时不可用，请稍后再试，或用密码登录',
  identity_taken: '这个第三方账号，或这个账号的同类第三方登录，已经关联过了；什么都没有改变',
  last_way_in: '这是登录这个账号的唯一方式，没有解除。请先设置密码',
  recipients_missing: '请选择发给谁',
  recipients_unknown: (params) => `找不到这些用户：${names(params['Names'])}`,
  suggestion_finished: '这条建议已处理完成，不能再修改或回复',
  resource_waiting: '您在这个超算中心已经有一份申请在等待审核，没有提交新的',
  resource_approved: '这份申请已经通过，不能再修改或撤回',
  resource_account_missing: '这份申请还没有账户信息',
  resource_account_unreadable:
    '保存的账户信息打不开了（服务器的密钥变过）。请中心的管理人员重新填写',
  resource_way_in_missing: '密码和私钥至少填写一项，没有保存',
  picture_missing: '有图片没有上传成功或已过期，请重新添加',
  copy_conflict: (params) => {
    const files = names(params['Names']);
    return files === '' ? '有同名文件，没有写入任何文件' : `有同名文件，没有写入任何文件：${files}`;
  },
  copy_unsafe: (params) => {
    const files = names(params['Names']);
    return files === ''
      ? '目标位置有链接或特殊文件，没有写入任何文件'
      : `目标位置有链接或特殊文件，没有写入任何文件：${files}`;
  },
  changed_meanwhile: '在您打开之后有人改过它，您的修改没有保存。请重新载入，再改一次',
  in_use: (params) => {
    const titles = names(titlesOf(params['Dependents']));
    return titles === ''
      ? '还有别的内容在用它，没有改变'
      : `还有别的内容在用它，没有改变：${titles}`;
  },
  order_incomplete: '顺序里缺少或多出了几项，没有改变。请重新载入',
  last_admin: '至少要有一个能登录的管理员，没有改变',
  own_account: '不能停用或删除自己的账号',
  application_not_waiting: '这个申请已经审核过，没有改变。请重新载入',
  reason_missing: '不通过时请填写理由，没有改变',
  user_name_differs: '输入的用户名不一致，没有删除',
  sheet_unreadable: '读不出这个名单。请用 xlsx、xls 或 csv，第一行要有“用户名”和“邮箱”',
  sheet_too_long: (params) => `名单最多 ${names(params['Limit'])} 行，没有读取`,
  import_refused: (params) =>
    `第 ${names(params['Rows'])} 行现在不能导入，一个账号也没有建立。请重新预览`,
  upload_missing: '没有收到文件',
  upload_too_large: (params) => `文件太大，没有保存${mebibytes(params['LimitBytes'])}`,
  upload_type: (params) => `不支持这种文件，没有保存。可以上传：${names(params['Allowed'])}`,
  file_name_invalid: (params) => `文件名“${names(params['Name'])}”不能用，没有保存`,
  file_exists: (params) => `已经有名为“${names(params['Name'])}”的文件，没有保存`,
  zip_refused: (params) => {
    const reason = zipReasons[names(params['Reason'])] ?? '内容不安全';
    const file = names(params['Name']);
    return file === '' ? `压缩包没有收下：${reason}` : `压缩包没有收下：${reason}（${file}）`;
  },
  lab_incomplete: '发布的实验至少要有一个任务，并且要有可以打开的规格',
  course_code_wrong: '邀请码错误',
  course_code_expired: '请在有效期内加入课程',
  course_code_missing: '私有课程和邀请码方式需要填写邀请码，没有保存',
  course_period_reversed: '邀请码的有效期要先开始、后结束，没有保存',
  course_staff: '这位用户已经参与管理这门课程',
  person_unknown: (params) => `没有用户名或邮箱是“${names(params['Name'])}”的用户`,
  collaborator_no_teacher: (params) => `“${names(params['Name'])}”不是教师，课程只能与教师共享`,
  homework_corrected: '作业已经批改，教师重置后才能重新提交；这次的内容没有提交',
  homework_not_member: '只有课程成员提交作业，您参与管理这门课程',
  homework_period_reversed: '作业要先开放、后截止，没有保存',
  homework_score_given: (params) =>
    `已经有人得了 ${names(params['Score'])} 分，满分不能低于它，没有保存`,
  submission_empty: '没有正文，也没有文件，没有提交',
  score_too_high: (params) => `分数不能超过满分 ${names(params['MaxScore'])}，没有保存`,
  language_not_offered: '这道题不能用这种语言，没有提交',
  submissions_waiting: (params) =>
    `最多 ${names(params['Limit'])} 个提交同时等待判题。请等一个判完再提交，代码还在`,
  submission_not_done: '这个提交正在等待判题，没有改变',
  tests_missing: '这道题还没有测试数据，请先上传',
  reference_missing: '这种语言还没有参考代码，请先填写并保存',
  tests_refused: (params) => {
    const reason = testsReasons[names(params['Reason'])] ?? '内容不符合要求';
    return `测试包没有收下：${reason}（${names(params['Name'])}）`;
  },
  too_many_nodes: (params) => `一个规格最多 ${names(params['Limit'])} 个节点`,
  node_name_taken: (params) => `已经有名为“${names(params['Name'])}”的节点`,
  image_type_differs: '类型不一致：规格、镜像和内容必须是同一种环境',
  built_in: '这是平台自带的，不能删除',
  not_built_in: '只有平台自带的镜像可以重新构建',
  commit_too_late: '剩余时间不到 5 分钟，不能提交镜像。请先续期',
  commit_under_way: '上一次提交或构建还没有结束',
  commit_failed: '镜像没有提交成功，原来的版本继续使用',
  computer_exists: '您已经有一台个人电脑',
  computer_name_differs: '输入的名称不一致，没有删除',
  usage_sessions_full: (params) =>
    `同时打开的环境已达上限 ${names(params['Limit'])}，没有打开，请稍后再试`,
  ended_by_staff: (params) => `管理员结束了这个环境：${names(params['Text'])}`,
  usage_exists: '您已经有一个环境，没有打开新的',
  session_unreachable: '暂时连不上环境；它和里面的文件不受影响',
  usage_already_running: '环境已经在运行',
  usage_not_running: '环境没有在运行',
  usage_not_ready: '环境还没有准备好，请稍等',
  usage_renewal_too_late: '最后 1 分钟不能续期；到时环境会关闭，data 中的文件会保留',
  usage_expired: '环境的时间已到，已经关闭；data 中的文件保留着',
  usage_queue_full: (params) => {
    const limit = number(params['Limit']);
    return limit === null
      ? '现在排队的人太多，没有加入队列，请稍后再试'
      : `排队人数已达上限 ${limit}，没有加入队列，请稍后再试`;
  },
  usage_too_large: (params) => {
    const cpus = number(params['Cpus']);
    const memory = number(params['MemoryBytes']);
    return cpus === null || memory === null
      ? '这个环境比机器能提供的还大，没有打开'
      : `这个环境需要 ${cpus} 核、${(memory / 1_073_741_824).toFixed(1)} GiB 内存，超过了机器能提供的，没有打开`;
  },
  usage_action_timeout: '环境没有及时回应，状态可能没有改变；环境里的文件不受影响',
  engine_unavailable: '运行环境的机器暂时不可用；已有的文件不受影响，请稍后再试',
  image_missing: (params) =>
    `环境的镜像 ${names(params['Image'])} 不存在，没有打开；请联系老师或管理员`,
  image_build_failed: (params) =>
    `环境的镜像 ${names(params['Image'])} 构建失败，没有打开；请联系管理员`,
  start_timed_out: (params) => {
    const seconds = number(params['Seconds']);
    return seconds === null
      ? '环境启动太久没有应答，已放弃；您的文件没有变化'
      : `环境启动 ${seconds} 秒后仍没有应答，已放弃；您的文件没有变化`;
  },
  start_died: (params) => {
    const code = number(params['ExitCode']);
    return code === null
      ? '环境里的程序刚启动就退出了；您的文件没有变化'
      : `环境里的程序刚启动就退出了（退出码 ${code}）；您的文件没有变化`;
  },
  start_out_of_memory: '环境启动时内存用完了；您的文件没有变化',
  start_no_space: '机器的磁盘空间不足，环境没有启动；您的文件没有变化，请联系管理员',
  start_failed: '环境没有启动成功；您的文件没有变化，请再试一次',
};
