import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readImageSources, resolvedContainerfile } from './image-sources.ts';

describe('image sources', () => {
  let directory: string;

  beforeEach(() => {
    const made = mkdtempSync(join(tmpdir(), 'hypercube-sources-'));
    onTestFinished(() => rmSync(made, { recursive: true }));
    directory = made;
    write('root/make-rootfs.sh', '#!/bin/sh\n');
    write('tools/Containerfile', '# first\nFROM hypercube/root\nRUN one && \\\n  two\nCOPY a /a\n');
    write('tools/a', 'a');
    write(
      'lab/Containerfile',
      'FROM hypercube/tools\nCOPY --from=hypercube/root /x /hypercube/x\n',
    );
    write('notes.md', 'no image');
  });

  function write(path: string, text: string): void {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), text);
  }

  const keys = () =>
    Object.fromEntries(
      [...readImageSources(directory)].map(([name, source]) => [name, source.key]),
    );

  it('puts parents before children and counts instructions', () => {
    const sources = [...readImageSources(directory).values()];
    expect(sources.map(({ name, parents, steps }) => [name, parents, steps])).toEqual([
      ['root', [], 1],
      ['tools', ['root'], 3],
      ['lab', ['tools', 'root'], 2],
    ]);
  });

  it('joins a deployment’s own images to those of the repository', () => {
    const own = mkdtempSync(join(tmpdir(), 'hypercube-sources-'));
    onTestFinished(() => rmSync(own, { recursive: true }));
    mkdirSync(join(own, 'course'));
    writeFileSync(join(own, 'course/Containerfile'), 'FROM hypercube/lab\nRUN more\n');
    const sources = readImageSources([directory, own]);
    const course = sources.get('course');
    expect([course?.parents, course?.directory]).toEqual([['lab'], join(own, 'course')]);
    // What the deployment adds changes nothing of what was there.
    expect(sources.get('lab')?.key).toBe(keys()['lab']);
    mkdirSync(join(own, 'lab'));
    writeFileSync(join(own, 'lab/Containerfile'), 'FROM hypercube/root\n');
    expect(() => readImageSources([directory, own])).toThrow('two folders have an image lab');
  });

  it('gives the same key to the same contents elsewhere', () => {
    const before = keys();
    const copy = mkdtempSync(join(tmpdir(), 'hypercube-sources-'));
    onTestFinished(() => rmSync(copy, { recursive: true }));
    cpSync(directory, copy, { recursive: true });
    directory = copy;
    expect(keys()).toEqual(before);
  });

  it('changes the key of an image and its children with contents, modes and parents', () => {
    const before = keys();
    write('tools/a', 'b');
    const changed = keys();
    expect(changed['root']).toBe(before['root']);
    expect(changed['tools']).not.toBe(before['tools']);
    expect(changed['lab']).not.toBe(before['lab']);
    chmodSync(join(directory, 'tools/a'), 0o755);
    expect(keys()['tools']).not.toBe(changed['tools']);
    const withMode = keys();
    write('tools/README.md', 'words about it');
    expect(keys()).toEqual(withMode);
  });

  it('names parents by their references, and nothing else that looks like one', () => {
    const sources = readImageSources(directory);
    const lab = sources.get('lab');
    const root = sources.get('root')?.reference;
    if (!lab) throw new Error('no lab');
    expect(root).toMatch(/^localhost\/hypercube\/root:[0-9a-f]{12}$/);
    expect(resolvedContainerfile(lab, sources)).toBe(
      `FROM ${sources.get('tools')?.reference}\nCOPY --from=${root} /x /hypercube/x\n`,
    );
  });

  it('refuses circles and parents that are not there', () => {
    write('root2/Containerfile', 'FROM hypercube/lost\n');
    expect(() => readImageSources(directory)).toThrow(/no image called lost/);
    write('root2/Containerfile', 'FROM hypercube/root2\n');
    expect(() => readImageSources(directory)).toThrow(/own parent/);
  });
});
