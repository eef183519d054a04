import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../demo/api.ts'
import { readDemoOptions } from '../demo/options.ts'
import { startedProgram } from './started-program.ts'

const main = join(import.meta.dirname, '../demo/main.ts')

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-test-'))
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function startDemo(args: string[]) {
  const { process: child, output, exited } = startedProgram(main, args, 'SIGTERM')
  const ready = () =>
    until(
      async () => {
        if (child.exitCode !== null) throw new Error(output())
        return /^Ready after/m.test(output()) && /^curl /m.test(output()) ? output() : undefined
      },
      'the demo is ready',
      120_000,
    )
  return { ready, exited, interrupt: () => child.kill('SIGINT') }
}

/** What the curl that the demo prints would show. */
async function shownBy(output: string): Promise<{ totalCount: number }> {
  const [, token = ''] = /^TOKEN=(\S+)$/m.exec(output) ?? []
  const [, url = ''] = /^curl .*'(http\S+)'$/m.exec(output) ?? []
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return (await answer.json()) as { totalCount: number }
}

test('the demo prints a curl that works, ends on Ctrl-C, and continues with the same computers', async () => {
  const folder = join(await newFolder(), 'demo')

  const first = startDemo(['--data', folder, '--port', '0', '--computers', '30'])
  const output = await first.ready()
  const overview = await shownBy(output)
  first.interrupt()
  const firstEnd = await first.exited
  const second = startDemo(['--data', folder, '--port', '0'])
  const outputLater = await second.ready()
  const overviewLater = await shownBy(outputLater)
  second.interrupt()

  expect(overview.totalCount).toBeGreaterThan(0)
  expect(overviewLater.totalCount).toBeGreaterThan(0)
  expect([firstEnd, await second.exited]).toEqual([0, 0])
  expect(outputLater).toContain('30 computers come back')
}, 180_000)

test('the demo leaves a folder alone that has something else in it', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'precious.txt'), 'mine')

  const refused = startDemo(['--data', folder, '--port', '0'])

  await expect(refused.ready()).rejects.toThrow('has something else than a demo in it')
  expect(await refused.exited).toBe(1)
})

test('options of the demo that make no sense are told', () => {
  expect(() => readDemoOptions(['--computers', '5'], {})).toThrow(
    '--computers must be a whole number from 30 to 100000',
  )
  expect(() => readDemoOptions(['--colour'], {})).toThrow('--colour')
  expect(readDemoOptions(['--help'], {})).toBeUndefined()
  expect(readDemoOptions([], { MUSTER_DATA_DIR: '/somewhere', MUSTER_PORT: '7' })).toMatchObject({
    folder: '/somewhere',
    port: 7,
  })
})
