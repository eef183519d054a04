import type { CreatedEnrolmentToken } from '../../api/client.ts'

export type CreatedToken = CreatedEnrolmentToken

/** The commands that add a computer, by its platform and its agent. */
export type EnrolmentCommands = NonNullable<CreatedEnrolmentToken['commands']>

export type Platform = keyof EnrolmentCommands

export const platforms: readonly Platform[] = [
  'linux',
  'linuxGlpi',
  'linuxFusion',
  'windows',
  'windowsGlpi',
  'windowsFusion',
  'macGlpi',
  'macFusion',
]

const isLoopback = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/** Plain http to another computer: everybody on the network sees the token. */
export const isInsecure = ({ protocol, hostname }: { protocol: string; hostname: string }) =>
  protocol === 'http:' && !isLoopback(hostname)
