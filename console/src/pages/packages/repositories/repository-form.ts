import type { components } from '@muster/client'

export type VersionPolicy = 'latest' | 'atLeast' | 'exact'

export type RepositoryForm = {
  package: string
  policy: VersionPolicy
  version: string
  keepVersion: boolean
  allowDowngrade: boolean
  url: string
  suite: string
  key: string
}

export const emptyForm: RepositoryForm = {
  ...{ package: '', policy: 'latest', version: '', keepVersion: false, allowDowngrade: false },
  ...{ url: '', suite: 'stable main', key: '' },
}

type Source = components['schemas']['PackageSource']

/** Whether everything is given that the form asks for. The service checks the rest. */
export function isComplete(form: RepositoryForm): boolean {
  const hasVersion = form.policy === 'latest' || form.version.trim() !== ''
  const hasRepository = form.url.trim() === '' || form.key.trim() !== ''
  return /^(deb|rpm):\S+$/.test(form.package.trim()) && hasVersion && hasRepository
}

export function toSource(form: RepositoryForm): Source {
  const version = form.version.trim()
  return {
    package: form.package.trim(),
    allowDowngrade: form.policy === 'exact' && form.allowDowngrade,
    timeLimitMinutes: 60,
    ...(form.policy === 'exact' && { version }),
    ...(form.policy === 'atLeast' && { minVersion: version }),
    ...(form.keepVersion && { keepVersion: true }),
    ...(form.url.trim() !== '' && { repository: toRepository(form) }),
  }
}

function toRepository({ package: name, url, suite, key }: RepositoryForm): NonNullable<Source['repository']> {
  const common = { url: url.trim(), key: `${key.trim()}\n` }
  if (name.trim().startsWith('rpm:')) return common
  const [first = '', ...components] = suite.trim().split(/\s+/)
  return { ...common, suite: first, ...(components.length > 0 && { components }) }
}
