const architecture = 'noarch|src|nosrc|x86_64|i[3-6]86|aarch64|armv7hl|ppc64|ppc64le|s390|s390x|riscv64'
const fileName = new RegExp(`^(\\S+)-(?:(\\d+):)?([^-\\s]+)-([^-\\s]+)\\.(?:${architecture})(?:\\.rpm)?$`)

/** Parses names such as `openssl-1:3.0.7-27.el9.x86_64`. Advisories without package URLs name components like this. */
export function parseRpmFileName(name: string): { type: 'rpm'; name: string; version: string } | undefined {
  const [, component, epoch, version, release] = fileName.exec(name) ?? []
  if (!component || !version || !release) return undefined
  return { type: 'rpm', name: component, version: `${epoch ? `${epoch}:` : ''}${version}-${release}` }
}
