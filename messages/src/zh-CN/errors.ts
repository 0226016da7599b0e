/** The text of every error code. Where work could be in doubt, it says what happened to it. */
import { list, number } from '../values.ts';
import type { ErrorTexts } from '../types.ts';

const after = (value: unknown): string => {
  const seconds = number(value);
  return seconds === null ? '请稍后再试' : `请在 ${Math.ceil(seconds)} 秒后再试`;
};
const names = (value: unknown): string => list(value, '、');

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
  wrong_original_password: '原密码不正确，密码没有修改',
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
