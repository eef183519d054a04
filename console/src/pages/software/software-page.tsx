import { EmptyState, Paper } from '@mantine/core'
import { Page } from '../../components/page.tsx'
import { SbomButton } from '../../components/sbom-button.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useSoftwareTexts } from '../../texts/software-texts.ts'
import { SoftwareFilters } from './software-filters.tsx'
import { conditions, toSoftwareQuery } from './software-query.ts'
import { SoftwareVersions } from './software-versions.tsx'

/** Who has which version of a program. */
export function SoftwarePage() {
  const texts = useSoftwareTexts()
  const filters = useFilters(['name', 'condition', 'version'], { condition: conditions })
  const query = toSoftwareQuery(filters.values)
  return (
    <Page title={texts.title} intro={texts.intro} actions={<SbomButton address="/api/fleet/sbom" />}>
      <SoftwareFilters filters={filters} />
      {query ? (
        <SoftwareVersions query={query} chooseName={(name) => filters.setOnly({ ...filters.values, name })} />
      ) : (
        <Paper withBorder>
          <EmptyState p="xl" title={texts.begin} description={texts.beginHint} />
        </Paper>
      )}
    </Page>
  )
}
