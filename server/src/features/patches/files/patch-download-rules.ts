import type { Configuration } from '../../../platform/configuration.ts'
import type { DownloadRules } from '../../../platform/downloads/allowed-address.ts'

export type PatchDownloadSettings = Pick<Configuration, 'patchHosts' | 'mode'>

/** From where files of patches may be downloaded. */
export const patchDownloadRules = ({ patchHosts, mode }: PatchDownloadSettings): DownloadRules => ({
  hosts: patchHosts,
  mode,
  settings: { hosts: 'MUSTER_PATCH_HOSTS', privateHosts: 'MUSTER_PATCH_PRIVATE_HOSTS' },
})
