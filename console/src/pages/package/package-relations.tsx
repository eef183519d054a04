import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { PackagePageData } from '../../api/packages.ts'
import { Facts } from '../../components/facts.tsx'
import { Section } from '../../components/section.tsx'
import { usePackageRelationTexts } from '../../texts/package-relation-texts.ts'
import { describeConditions } from './describe-conditions.ts'

/** What comes with the package, what it replaces or keeps away, and which computers it is for. */
export function PackageRelations({ relations, onlyFor }: Pick<PackagePageData, 'relations' | 'onlyFor'>) {
  const texts = usePackageRelationTexts()
  const { requires, supersedes, conflicts, requiredBy, supersededBy } = relations
  const conditions = onlyFor ? describeConditions(onlyFor, texts.conditions) : []
  const rows: [string, ReactNode[]][] = [
    [
      texts.requires,
      requires.map(({ pulledIn, ...one }) => (
        <PackageName key={one.name} {...one} note={pulledIn ? texts.pulledIn : texts.onlyAwaited} />
      )),
    ],
    [
      texts.supersedes,
      supersedes.map(({ uninstallFirst, ...one }) => (
        <PackageName key={one.name} {...one} note={uninstallFirst ? texts.uninstalledFirst : texts.inPlace} />
      )),
    ],
    [texts.conflicts, conflicts.map((one) => <PackageName key={one.name} {...one} />)],
    [texts.onlyFor, conditions.map((condition) => <div key={condition}>{condition}</div>)],
    [texts.requiredBy, requiredBy.map((one) => <PackageName key={one.packageId} {...one} />)],
    [texts.supersededBy, supersededBy.map((one) => <PackageName key={one.packageId} {...one} />)],
  ]
  const shown = rows.filter(([, lines]) => lines.length > 0)
  if (shown.length === 0) return null
  return (
    <Section title={texts.title}>
      <Facts rows={shown} />
    </Section>
  )
}

type PackageNameProps = { name: string; version?: string | null; packageId: string | null; note?: string }

function PackageName({ name, version, packageId, note }: PackageNameProps) {
  const texts = usePackageRelationTexts()
  const label = [name, version].filter(Boolean).join(' ')
  return (
    <div>
      {packageId === null ? (
        `${label} (${texts.unknown})`
      ) : (
        <Anchor component={Link} to={`/packages/${packageId}`} fz="inherit">
          {label}
        </Anchor>
      )}
      {note && ` (${note})`}
    </div>
  )
}
