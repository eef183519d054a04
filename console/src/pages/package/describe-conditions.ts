import type { PackagePageData } from '../../api/packages.ts'
import type { PackageRelationTexts } from '../../texts/package-relation-texts.ts'

type Conditions = NonNullable<PackagePageData['onlyFor']>

/** The conditions of a package as lines of text. A computer has to meet all of them. */
export function describeConditions(
  { osVersion, osEditions, architectures, minMemoryMb, minFreeDiskGb, software, customFields, variables }: Conditions,
  texts: PackageRelationTexts['conditions'],
): string[] {
  const range = ({ min, below }: { min?: string; below?: string }) =>
    [min && texts.from(min), below && texts.below(below)].filter(Boolean).join(' ')
  return [
    osVersion && texts.osVersion(range(osVersion)),
    osEditions && texts.osEditions(osEditions.join(', ')),
    architectures && texts.architectures(architectures.join(', ')),
    minMemoryMb && texts.memory(minMemoryMb),
    minFreeDiskGb && texts.disk(minFreeDiskGb),
    ...(software ?? []).map(({ name, absent, ...versions }) => {
      const product = [name, range(versions)].filter(Boolean).join(' ')
      return absent ? texts.without(product) : texts.with(product)
    }),
    ...(customFields ?? []).map(({ name, values }) => texts.customField(name, values.join(', '))),
    ...(variables ?? []).map(({ name, values }) => texts.variable(name, values.join(', '))),
  ].filter((line) => typeof line === 'string')
}
