import type { ManifestCommand, ManifestCommands } from '@muster/package-format'

/** Windows servicing asks for a restart with this code. */
const rebootCodes = [3010]

/** The commands that add a language pack to the Windows that runs, remove it, and find it. */
export function languagePackCommands({ file, language }: { file: string; language: string }): ManifestCommands {
  const service = (action: string): ManifestCommand => ({
    argv: ['dism.exe', '/Online', action, `/PackagePath:${file.replaceAll('/', '\\')}`, '/Quiet', '/NoRestart'],
    rebootCodes,
  })
  return {
    install: service('/Add-Package'),
    uninstall: service('/Remove-Package'),
    detect: {
      shell: `dism.exe /English /Online /Get-Packages | findstr /I /R "LanguagePack.*~${toPattern(language)}~"`,
    },
  }
}

/** The language comes from a manifest: nothing in it may end the quotes or mean anything to the shell. */
function toPattern(language: string): string {
  return language.replaceAll(/[^\w-]/g, '.')
}
