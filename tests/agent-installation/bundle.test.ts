import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../../server/test/world/service-process.ts'
import { openTemporaryFolder } from '../../server/test/world/temporary-folder.ts'
import { type AgentPlatform, bundleAgent } from '../../tools/package/agent-bundle.ts'

/** Texts that only the code for one operating system contains. */
const marks: Record<AgentPlatform, readonly string[]> = {
  linux: ['/etc/os-release', '/proc/', 'dpkg-query'],
  win32: ['advapi32', 'koffi.node'],
}

const bundleText = async (platform: AgentPlatform) =>
  readFile(await bundleAgent(await openTemporaryFolder(), platform), 'utf8')

test('the agent as one file has the code for its operating system and none for another', async () => {
  const contained = async (platform: AgentPlatform) => {
    const text = await bundleText(platform)
    return Object.values(marks)
      .flat()
      .filter((mark) => text.includes(mark))
  }

  expect(await contained('linux')).toEqual(marks.linux)
  expect(await contained('win32')).toEqual(marks.win32)
})

test('the same sources result in the same bundle, in whatever folder it is built', async () => {
  expect(await bundleText('linux')).toBe(await bundleText('linux'))
  expect(await bundleText('win32')).toBe(await bundleText('win32'))
})

test('an installation without development dependencies has no package for the agent', async () => {
  const description = JSON.parse(await readFile(join(repository, 'agent/package.json'), 'utf8')) as object

  expect(Object.keys(description)).not.toContain('dependencies')
})
