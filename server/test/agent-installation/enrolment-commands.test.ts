import { expect, test } from 'vitest'
import { enrolmentCommands } from '../../src/features/enrolment/enrolment-commands.ts'

const origin = 'https://muster.example.org'
const served = [
  { hasLinuxPackage: false, windowsInstaller: undefined },
  { hasLinuxPackage: true, windowsInstaller: { sha256: '4be1'.repeat(16) } },
]
const builtIn = ['cd', 'del', 'echo', 'set', 'start']

/** The programs that cmd starts for a line: the first word of each step, and what `start` starts. */
function programsOf(line: string): string[] {
  const steps = line.split(/&&|\|\||[|&\n]/).map((step) => step.trim().replace(/^start \/wait /, ''))
  return steps.map((step) => /^"[^"]*"|^\S+/.exec(step)?.[0] ?? '').filter((word) => !builtIn.includes(word))
}

test('cmd finds every program of the commands for Windows where only administrators can put one', () => {
  const commands = served.flatMap((one) => Object.entries(enrolmentCommands(origin, 'enrol-x', one)))
  const programs = commands.filter(([name]) => name.startsWith('windows')).flatMap(([, line]) => programsOf(line))

  expect(programs.length).toBeGreaterThan(10)
  for (const program of programs)
    expect(program).toMatch(/^(%SystemRoot%\\System32\\\w+\.exe|"%ProgramFiles%\\Muster\\muster-agent")$/)
})
