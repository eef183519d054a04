import type { QualifiedName } from './format.ts'

export function displayName({ schema, name }: QualifiedName): string {
  return schema === 'public' ? name : `${schema}.${name}`
}
