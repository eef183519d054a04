import { open, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentOf } from '../src/commands/send-file.ts'
import { openSandbox } from './hostile-service/sandbox.ts'

const { root } = await openSandbox('http://127.0.0.1:1')

test('a file of ten gigabytes is sent from its beginning to its end', async () => {
  const path = join(root, 'large.iso')
  const size = 10 * 1024 ** 3
  const file = await open(path, 'w')
  // Only the end takes room on the disk.
  await file.write('the end', size - 7)
  await file.close()

  const content = contentOf(path, await stat(path))

  expect(content.size).toBe(size)
  expect(await (await content.slice(size - 7, size + 1_000)).text()).toBe('the end')
})

test('a file that changes while it is sent is not sent in parts of both', async () => {
  const path = join(root, 'changing.bin')
  await writeFile(path, 'before')
  const content = contentOf(path, await stat(path))
  await writeFile(path, 'afterwards')

  await expect(content.slice(0, 3)).rejects.toThrow('has changed while it was sent')
})
