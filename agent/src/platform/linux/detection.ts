import { execFile } from 'node:child_process'
import { codeOf } from '../../expected-error.ts'
import type { Detection } from '../detection.ts'
import { compareRpmVersions } from './repositories/rpm-versions.ts'

const format = ['db:Status-Status', 'Version'].map((field) => `\${${field}}`).join('\\t')

const rpmFormat = '%{NAME}\\t%{EPOCHNUM}:%{VERSION}-%{RELEASE}\\n'

export const detection: Detection = {
  async dpkgVersion(name) {
    const { code, output } = await runTool('dpkg-query', '-W', '-f', format, '--', name)
    // dpkg-query exits with 1 if it does not know the package.
    if (code === 1) return undefined
    const [status, version] = output.split('\t')
    return status === 'installed' ? version : undefined
  },
  async compareDpkgVersions(one, other) {
    if ((await runTool('dpkg', '--compare-versions', one, 'eq', other)).code === 0) return 0
    return (await runTool('dpkg', '--compare-versions', one, 'lt', other)).code === 0 ? -1 : 1
  },
  async rpmVersion(name) {
    const { code, output } = await runTool('rpm', '-q', '--qf', rpmFormat, '--', name)
    // rpm exits with the number of packages that it does not know.
    if (code === 1) return undefined
    const versions = output.split('\n').flatMap((line) => {
      const [found, version] = line.split('\t')
      // It also answers to a name with a version or an architecture behind it.
      return found === name && version ? [version] : []
    })
    return versions.toSorted(compareRpmVersions).at(-1)
  },
  compareRpmVersions,
  expandVariables: (text) => text,
}

/** Throws if the tool does not exist or does not end with an exit code below 2. */
function runTool(tool: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    execFile(tool, args, { timeout: 20_000, env: { ...process.env, LC_ALL: 'C' } }, (error, output, errorOutput) => {
      if (!error) return resolve({ code: 0, output })
      if (error.code === 1) return resolve({ code: 1, output })
      const reason = codeOf(error) === 'ENOENT' ? `this computer has no ${tool}` : errorOutput.trim() || error.message
      reject(new Error(reason))
    })
  })
}
