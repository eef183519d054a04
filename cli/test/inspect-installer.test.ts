import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSandbox } from './hostile-service/sandbox.ts'

/** No service answers there: the command must need none. */
const { muster, root } = await openSandbox('http://127.0.0.1:1')

async function sample(name: string, content: string): Promise<string> {
  await writeFile(join(root, name), content)
  return join(root, name)
}

test('packages inspect shows each line of the manifest with its reason, without a service', async () => {
  const file = await sample('tool-1.2.sh', '#!/bin/sh\n\ttrue \u001b[2J\n')

  const { code, out, err } = await muster(['packages', 'inspect', file, '-o', 'csv'])

  expect(code).toBe(0)
  expect(out.split(/\r?\n/)).toEqual(
    expect.arrayContaining([
      'property,value,confidence,reason',
      'name,tool,guess,From the name of the file',
      'version,1.2,guess,From the name of the file',
    ]),
  )
  expect(err).toContain('Nothing says what the script does')
  expect(err).toContain('tool-1.2.sh:\n#!/bin/sh\n    true \\u001b[2J\n')
})

test('packages inspect writes facts and manifest as JSON', async () => {
  const file = await sample('tool-1.2.sh', '#!/bin/sh\ntrue\n')

  const { out } = await muster(['packages', 'inspect', file, '-o', 'json'], { isTerminal: false })

  expect(JSON.parse(out)).toMatchObject({
    facts: { format: 'script', interpreter: 'sh' },
    manifest: { name: 'tool', kind: 'software', commands: { install: { argv: ['sh', 'tool-1.2.sh'] } } },
  })
})

test('packages inspect names the file that it cannot read', async () => {
  const file = await sample('notes.txt', 'text')

  expect(await muster(['packages', 'inspect', file])).toMatchObject({
    code: 1,
    err: expect.stringContaining('notes.txt: The file has none of the formats that can be read.'),
  })
})
