import { expect, test } from 'vitest'
import { openReport } from '../src/commands/selftest-report.ts'

function printed(...findings: Parameters<ReturnType<typeof openReport>['add']>[0][]) {
  const lines: string[] = []
  const report = openReport((line) => lines.push(line))
  report.title('Sources')
  for (const finding of findings) report.add(finding)
  const hasFailed = report.summarise()
  const all = lines.join('\n').split('\n')
  // The explanation comes first.
  return { lines: all.slice(all.indexOf('Sources')), hasFailed }
}

test('a self-test shows for each source what was asked and what came, and repeats at the end what is not ok', () => {
  const { lines, hasFailed } = printed(
    { name: 'services', state: 'ok', asked: 'all of them', came: '3 rows' },
    { name: 'antivirus', state: 'unknown', asked: 'its name', came: 'no namespace', notes: ['after 2 ms'] },
    { name: 'patches', state: 'failed', came: 'access denied' },
  )

  expect(hasFailed).toBe(true)
  expect(lines).toEqual([
    'Sources',
    '  ok       services',
    '           asked: all of them',
    '           came: 3 rows',
    '  unknown  antivirus',
    '           asked: its name',
    '           came: no namespace',
    '           after 2 ms',
    '  FAILED   patches',
    '           came: access denied',
    '',
    'Summary',
    '  1 ok, 1 unknown, 1 failed',
    '  FAILED   patches: access denied',
    '  unknown  antivirus: no namespace',
    '',
    'What to report',
    '  Each line with "ok" whose answer is not what the computer itself shows.',
    '  Each line with "unknown", if the computer has what was asked.',
    '  Each line with "FAILED".',
    '  This output, which contains names, addresses and serial numbers of the computer.',
  ])
})

test('a self-test in which nothing has failed says so, and shortens long answers', () => {
  const { lines, hasFailed } = printed({ name: 'software', state: 'ok', came: 'x'.repeat(500) })

  expect(hasFailed).toBe(false)
  expect(lines).toContain('  1 ok, 0 unknown, 0 failed')
  expect(lines).toContain(`           came: ${'x'.repeat(300)}…`)
  expect(lines.join('\n')).not.toContain('FAILED')
})
