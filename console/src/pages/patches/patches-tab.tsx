import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { DataAge } from '../../components/data-age.tsx'
import { Loading } from '../../components/loading.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { Compliance } from './compliance.tsx'
import { HeatMap } from './heat-map.tsx'
import { PatchList } from './patch-list.tsx'
import classes from './patches.module.css'

/** What is missing, at a glance and by patch. */
export function PatchesTab() {
  const patches = usePatchTexts()
  const { data, error, refetch } = useQuery({
    queryKey: ['patches', 'overview'],
    queryFn: () => answerOf(api.GET('/api/fleet/patch-overview')),
  })
  const age = data?.calculatedAtUtc && <DataAge atUtc={data.calculatedAtUtc} />
  return (
    <Stack>
      {error && !data ? (
        <ProblemView error={error} onRetry={refetch} />
      ) : (
        <div className={classes.figures}>
          <Section title={patches.heatMap.title} actions={age}>
            {data ? <HeatMap cells={data.cells} /> : <Loading height={220} />}
          </Section>
          <Section title={patches.compliance.largest} actions={age}>
            {data ? <Compliance overview={data} /> : <Loading height={220} />}
          </Section>
        </div>
      )}
      <PatchList />
    </Stack>
  )
}
