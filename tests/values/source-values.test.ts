import { sourcePatterns } from '@muster/package-format'
import { expect, test } from 'vitest'
import { type DeclaredSource, readSource } from '../../agent/src/work/declared/read-source.ts'

test('agents and the service accept the same names and versions', () => {
  const names = [
    'nginx',
    'g++',
    'libstdc++6',
    'python3.11',
    'libfoo:i386',
    'a',
    'A',
    '_x',
    'x-',
    '-x',
    'x y',
    'x~',
    'kernel-core',
  ]
  const versions = ['1', '1:2.3-4', '1.0~rc1', '1.0^git', 'a', '1 2', '', '1_2-3', '1-2-3', '*', '9999999999:1']
  const isAccepted = (changes: object) => {
    try {
      return (
        readSource({
          package: 'deb:nginx',
          allowDowngrade: false,
          timeLimitMinutes: 60,
          ...changes,
        } as DeclaredSource) !== undefined
      )
    } catch {
      return false
    }
  }
  for (const family of ['deb', 'rpm'] as const) {
    const matches = (part: 'name' | 'version', text: string) =>
      new RegExp(`^(${sourcePatterns[family][part]})$`).test(text)
    const named = { deb: 'deb:nginx', rpm: 'rpm:nginx' }[family]
    expect(names.map((name) => isAccepted({ package: `${family}:${name}` }))).toEqual(
      names.map((name) => matches('name', name)),
    )
    expect(versions.map((version) => isAccepted({ package: named, version }))).toEqual(
      versions.map((version) => matches('version', version)),
    )
  }
})
