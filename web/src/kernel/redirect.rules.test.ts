import { describe, expect, it } from 'vitest';
import { safeRedirect } from './redirect.ts';

describe('where a login leads', () => {
  it.each([
    ['/lab', '/lab'],
    ['/lab/3?page=2#end', '/lab/3?page=2#end'],
    ['/lab?keyword=%E5%BD%92%E7%BA%A6', '/lab?keyword=%E5%BD%92%E7%BA%A6'],
    ['/', '/'],
    ['/a/../lab', '/lab'],
    ['/https://evil.example', '/https://evil.example'],
  ])('follows a path of this site: %s', (value, path) => {
    expect(safeRedirect(value)).toBe(path);
  });

  it.each([
    ['//evil.example'],
    ['///evil.example'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['/\\/evil.example'],
    ['https://evil.example/'],
    ['http:evil.example'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    [' /lab'],
    ['/\t/evil.example'],
    ['/\n/evil.example'],
    ['/\r\nSet-Cookie: a=b'],
    ['/\u0000/evil.example'],
    ['/.//evil.example'],
    ['/lab/..//evil.example'],
    ['/..//evil.example'],
    ['/./\\evil.example'],
    ['/%2e//evil.example'],
    ['/%2E%2e//evil.example'],
    ['/lab/.%2e//evil.example'],
    ['//user@evil.example'],
    ['\t//evil.example'],
    ['HTTPS://evil.example'],
    ['http:/evil.example'],
    ['JaVaScRiPt:alert(1)'],
    ['java\nscript:alert(1)'],
    ['vbscript:msgbox(1)'],
    ['blob:https://evil.example/1'],
    ['file:///etc/passwd'],
    ['@evil.example'],
    ['.evil.example'],
    ['lab'],
    ['?x=1'],
    [''],
    ['/login'],
    ['/login?redirect=/login'],
    [`/${'a'.repeat(3000)}`],
    [undefined],
    [null],
    [42],
    [['/lab']],
    [{ toString: () => '/lab' }],
  ])('goes home instead of to %j', (value) => {
    expect(safeRedirect(value)).toBe('/');
  });
});
