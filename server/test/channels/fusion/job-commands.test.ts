import { expect, test } from 'vitest'
import { toJobCommands } from '../../../src/channels/fusion/jobs/job-commands.ts'

test('an MSI package becomes commands of msiexec on Windows', () => {
  const msi = { file: 'bin/a.msi', properties: { TARGET: 'C:\\A b' }, timeLimitMinutes: 30 }

  const commands = toJobCommands({ commands: {}, declared: { commands: {}, msi }, files: [], secretNames: [] }, true)

  expect(commands).toEqual({
    install: {
      shell: 'msiexec /i "bin\\a.msi" /qn /norestart TARGET="C:\\A b"',
      ...{ timeLimitMinutes: 30, successCodes: [0], rebootCodes: [3010, 1641] },
    },
    uninstall: {
      shell: 'msiexec /x "bin\\a.msi" /qn /norestart',
      ...{ timeLimitMinutes: 30, successCodes: [0, 1605], rebootCodes: [3010, 1641] },
    },
  })
})

test.each([
  [
    'a declared detection',
    { commands: { detect: { dpkg: { package: 'hello' } } } },
    true,
    'by dpkg, for which the computer',
  ],
  [
    'a step before the patches',
    { commands: { install: { shell: 'true' }, before: { shell: 'true' } } },
    false,
    'steps before or after the patches',
  ],
  ['an MSI file on Linux', { commands: {}, msi: { file: 'a.msi' } }, false, 'which only Windows can install'],
] as const)('a package with %s needs another agent', (_, declared, isWindows, reason) => {
  expect(toJobCommands({ commands: {}, declared, files: [], secretNames: [] }, isWindows)).toContain(reason)
})
