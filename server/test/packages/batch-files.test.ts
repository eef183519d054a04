import { expect, test } from 'vitest'
import { manifestOf, openPackageWorld } from './package-world.ts'

const { folder, imported } = await openPackageWorld()

async function importedWith(path: string, os: string, text: string) {
  const name = `batch ${os} ${path} ${text.length}`.replaceAll(/[^\w]/g, '-')
  const manifest = manifestOf({ name, operatingSystems: [os], commands: { install: { argv: ['a.exe'] } } })
  await folder(name, { 'muster-package.json': manifest, [path]: text })
  return imported(name)
}

test.each([
  ['install.cmd', 'Windows 11', '@setup.exe "%MUSTER_VAR_SITE%"', "'install.cmd' mentions %MUSTER_VAR_SITE%"],
  ['tools/a.BAT', 'Windows', '\ufeffcall x %%MUSTER_SECRET_KEY%%', "'tools/a.BAT' mentions %MUSTER_SECRET_KEY%"],
  ['install.cmd', 'Windows 11', 'setlocal EnableDelayedExpansion\nsetup.exe "!MUSTER_VAR_SITE!"', null],
  ['install.cmd', 'Linux', '%MUSTER_VAR_SITE%', null],
  ['notes.txt', 'Windows 11', '%MUSTER_VAR_SITE%', null],
])(
  'the file %s of a package for %s with %j is refused if cmd would run what is in a value',
  async (path, os, text, fault) => {
    const { status, message } = await importedWith(path, os, text)

    expect(status).toBe(fault === null ? 'Success' : 'Failed')
    if (fault !== null) expect(message).toContain(fault)
  },
)

test('a batch file that is too large to be checked is refused', async () => {
  const unsafe = 'setup.exe "%MUSTER_VAR_SITE%"\r\nexit /b\r\n'

  const { status, message } = await importedWith('install.cmd', 'Windows 11', unsafe.padEnd(4 * 1024 * 1024 + 1))

  expect({ status, message }).toMatchObject({
    status: 'Failed',
    message: expect.stringContaining("'install.cmd' is larger"),
  })
})
