import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answerOf, api } from '../api/client.ts'
import type { components } from '../api/types.ts'
import { useHasRole } from '../shell/session-context.ts'
import { useFormat } from '../texts/format.ts'
import { usePreDownloadTexts } from '../texts/pre-download-texts.ts'
import { Moment } from './moment.tsx'
import { OutcomeBar } from './outcome-bar.tsx'
import { Section } from './section.tsx'

type PreDownload = components['schemas']['PreDownload']

type PreDownloadsProps = {
  /** The work that is counted. */
  of: { groupId?: string; packageId?: string; trackingId?: string; rolloutId?: string }
}

const pollMilliseconds = 15_000

/** On how many computers packages are ready before their window opens. Nothing, if none is downloaded ahead. */
export function PreDownloads({ of }: PreDownloadsProps) {
  const texts = usePreDownloadTexts()
  const mayRead = useHasRole('computer.read')
  const { data } = useQuery({
    queryKey: ['pre-downloads', of],
    queryFn: () => answerOf(api.GET('/api/pre-downloads', { params: { query: of } })),
    enabled: mayRead,
    // Agents report it with their contacts, which leave no event.
    refetchInterval: ({ state }) => (state.data?.some(({ ready, total }) => ready < total) ? pollMilliseconds : false),
  })
  if (!data || data.length === 0) return null
  return (
    <Section title={texts.title}>
      <Stack gap="md">
        {data.map((one) => (
          <PackageReadiness key={one.packageId} counts={one} />
        ))}
      </Stack>
    </Section>
  )
}

function PackageReadiness({ counts }: { counts: PreDownload }) {
  const texts = usePreDownloadTexts()
  const format = useFormat()
  const { packageId, packageName, version, total, ready, fetching, failed, waiting } = counts
  return (
    <div>
      <Text size="sm" mb={4}>
        <Anchor component={Link} to={`/packages/${packageId}`} size="sm">
          {[packageName, version].filter(Boolean).join(' ')}
        </Anchor>
        {`: ${texts.readyOn(format.number(ready), format.number(total))}, ${texts.size(format.bytes(counts.bytes))}`}
        {counts.earliestStartUtc && (
          <>
            {`. ${texts.opens}: `}
            <Moment at={counts.earliestStartUtc} />
          </>
        )}
      </Text>
      <OutcomeBar
        label={texts.computers}
        parts={[
          { kind: 'good', value: ready, label: texts.parts.ready },
          { kind: 'running', value: fetching, label: texts.parts.fetching },
          { kind: 'bad', value: failed, label: texts.parts.failed },
          { kind: 'neutral', value: waiting, label: texts.parts.waiting },
        ]}
      />
    </div>
  )
}
