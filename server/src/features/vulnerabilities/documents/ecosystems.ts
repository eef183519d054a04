import { findPlatformByName, type PatchPlatform } from '../../patches/components/platforms.ts'
import { type ComparedType, isLanguage } from './compared-versions.ts'

/** A release of a distribution whose packages are compared with advisories, or a language with its packages on all systems. */
export type ComparedPlatform = { key: string; type: ComparedType }

/** Distributions for which advisories are compared. */
const compared = new Set(['debian', 'ubuntu', 'redhat', 'almalinux', 'rocky', 'opensuse-leap', 'sles'])

export const isComparedDistribution = (distribution: string): boolean => compared.has(distribution)

function toCompared(platform: PatchPlatform | undefined): ComparedPlatform | undefined {
  const { key, type, distribution } = platform ?? {}
  return key && type && distribution && compared.has(distribution) && key !== distribution ? { key, type } : undefined
}

/** The platform of a computer, by the name and the version of its operating system. */
export function findPlatformOfSystem(name: string, version: string): ComparedPlatform | undefined {
  return toCompared(findPlatformByName(`${name} ${version}`) ?? findPlatformByName(name))
}

/** The platform that a release of Debian has by its code name. Names without a release, such as sid, have none. */
export const findPlatformOfDebianRelease = (codename: string): ComparedPlatform | undefined =>
  toCompared(findPlatformByName(`Debian ${codename}`))

/** The package manager of a platform, by its key. */
export function typeOfPlatform(key: string): ComparedType {
  if (isLanguage(key)) return key
  return /^(debian|ubuntu)(-|$)/.test(key) ? 'deb' : 'rpm'
}

/** SUSE publishes most packages in modules of a service pack, which the server and the desktop share. */
const suseModule = /^Linux Enterprise (?:Server|Desktop|Module for [^:]+) (\d+) SP(\d+)$/

/**
 * The platform of an ecosystem of OSV, such as `Debian:12` or `Ubuntu:22.04:LTS`. Paid extensions, such as `Ubuntu:Pro:22.04:LTS`
 * and LTSS of SUSE, are not compared: a computer does not report whether it has them.
 */
export function findPlatformOfEcosystem(ecosystem: string): ComparedPlatform | undefined {
  const [name = '', ...rest] = ecosystem.split(':')
  const [release = '', suffix = ''] = rest
  switch (name) {
    case 'Debian':
    case 'AlmaLinux':
    case 'Rocky Linux':
      return rest.length === 1 ? toCompared(findPlatformByName(`${name} ${release}`)) : undefined
    case 'Ubuntu':
      return suffix === '' || suffix === 'LTS' ? toCompared(findPlatformByName(`Ubuntu ${release}`)) : undefined
    case 'openSUSE':
      return toCompared(findPlatformByName(`openSUSE ${release}`))
    case 'SUSE': {
      const [, major, servicePack] = suseModule.exec(release) ?? []
      return major ? toCompared(findPlatformByName(`SLES ${major}.${servicePack}`)) : undefined
    }
    case 'Red Hat':
      return /^(enterprise_linux|rhel)$/.test(release) && /^\d+$/.test(suffix)
        ? toCompared(findPlatformByName(`Red Hat Enterprise Linux ${suffix}`))
        : undefined
    case 'npm':
      return { key: 'npm', type: 'npm' }
    case 'PyPI':
      return { key: 'pypi', type: 'pypi' }
    default:
      return undefined
  }
}

/** The platform with this key: a release of a distribution, a distribution with all of its releases, or a language. */
export function findPlatformByKey(key: string): ComparedPlatform | undefined {
  if (isLanguage(key)) return { key, type: key }
  return isComparedDistribution(key.replace(/-\d+(?:\.\d+)?$/, '')) ? { key, type: typeOfPlatform(key) } : undefined
}
