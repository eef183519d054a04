import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseBashLine } from '../src/completion/bash-line.ts'
import { sendJson, startFakeService } from './hostile-service/fake-service.ts'
import { openSandbox } from './hostile-service/sandbox.ts'

/** Names that a shell would run, expand, or read as something else. */
const dangerous = [
  ...['x$(touch pwned)', 'x`touch pwned`', 'x;touch pwned', 'x&&touch pwned', 'x|touch pwned', 'x>pwned', 'x\\', "x'y"],
  ...['x"y', 'x"$(touch pwned)"', "x';touch pwned;'", `x$\{IFS}y`, '~root', 'x*', 'x?', 'x[a]', 'x{a,b}', 'x!y', 'x#y'],
]
const deceptiveNames = ['x\ny', 'x\ty', 'x\u001b[2J', 'x\u202egnp.exe', '--insecure', '-o', '']

const folder = await mkdtemp(join(tmpdir(), 'muster-completion-'))
afterAll(() => rm(folder, { recursive: true }))

let names: string[] = []
const service = await startFakeService(({ url = '' }, response) =>
  sendJson(
    response,
    url === '/api/auth/token'
      ? { access_token: 'a', expires_in: 60 }
      : { totalCount: names.length, items: names.map((name) => ({ name, rolloutId: '1' })) },
  ),
)
const { muster } = await openSandbox(service.address)

/** The words that bash makes of a line. It would also run what the line contains. */
const wordsOf = (line: string) =>
  execFileSync('bash', ['-c', `show() { printf '[%s]' "$@"; }; show ${line}`], { cwd: folder, encoding: 'utf8' })

test.each(['', '"', "'"])('bash neither runs nor expands a name that was completed behind %j', (quote) => {
  for (const name of dangerous) {
    const reply = parseBashLine(`muster rollout pause ${quote}`).toReply(name)
    if (reply === undefined) continue

    expect(wordsOf(`${quote}${reply}${quote}`)).toBe(`[${name}]`)
  }
  expect(readdirSync(folder)).toEqual([])
})

test('a name that the quotes of the line cannot contain is not offered', () => {
  expect(parseBashLine(`muster rollout pause "x`).toReply('x!y')).toBeUndefined()
  expect(parseBashLine(`muster rollout pause 'x`).toReply("x'y")).toBeUndefined()
})

test('names that show something other than they are, or are options, are not offered', async () => {
  names = [...deceptiveNames, 'honest', ...dangerous]

  const { out } = await muster(['complete', '--', 'rollout', 'pause', ''], { isTerminal: false })

  expect(out.split('\n').slice(0, -1)).toEqual(['honest', ...dangerous])
})
