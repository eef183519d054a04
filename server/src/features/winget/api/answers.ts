import type { WingetConversion } from '@muster/installers/winget'
import type { Configuration } from '../../../platform/configuration.ts'
import { findAddressFault } from '../../../platform/downloads/allowed-address.ts'
import { packageDownloadRules } from '../../package-uploads/download-rules.ts'

/** A conversion in the shape of the API. */
export function toConversion({ packages, rest, ...identity }: WingetConversion, configuration: Configuration) {
  return {
    ...identity,
    packages: packages.map(({ origin, fileName, manifest, lines, requirements, warnings }) => {
      const { architecture, type, locale = null, url, sha256 } = origin
      // Installers for one user are never converted.
      const scope = origin.scope === 'machine' ? origin.scope : null
      return {
        ...{ architecture: architecture as 'x64', installerType: type, scope, locale, url, sha256 },
        downloadFault: findAddressFault(url, packageDownloadRules(configuration)) ?? null,
        ...{ fileName, manifest, requirements, warnings },
        lines: lines.map(({ isImplied = false, ...line }) => ({ ...line, isImplied })),
      }
    }),
    rest: rest.map(({ type, locale = null, ...one }) => ({
      ...one,
      architecture: one.architecture.slice(0, 50),
      installerType: type.slice(0, 50),
      locale,
    })),
  }
}
