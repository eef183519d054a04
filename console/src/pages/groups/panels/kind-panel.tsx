import { Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api, type Schemas, versionOf } from '../../../api/client.ts'
import { useGroupObjectTexts } from '../../../texts/group-object-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, groupKey, groupsKey } from '../group-queries.ts'

type Kind = Schemas['SettableGroupKind']

const kinds = ['Ordinary', 'EOL', 'Restore'] as const satisfies readonly Kind[]

/** Freezes the group, or makes it ordinary again. */
export function KindPanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const texts = useGroupObjectTexts()
  const { common } = useTexts()
  const [kind, setKind] = useState<Kind>()
  const path = { id: page.id }
  const { data: version } = useQuery({
    queryKey: [...groupKey(page.id), 'kind'],
    queryFn: () => versionOf(api.GET('/api/group/{id}/kind', { params: { path } })),
  })
  const hasSubgroups = page.subgroups.length > 0
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: texts.kindTitle(page.name),
        label: common.save,
        requestKey: [kind, version?.etag],
        isComplete: version !== undefined && kind !== undefined && kind !== page.kind,
        ...(version && { etag: version.etag }),
        form: (
          <Radio.Group label={texts.kindField} value={kind ?? page.kind} onChange={(value) => setKind(value as Kind)}>
            <Stack gap="xs" mt="xs">
              {kinds.map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={texts.kinds[value]}
                  description={texts.kindHints[value]}
                  disabled={hasSubgroups && value !== 'Ordinary'}
                />
              ))}
              {hasSubgroups && <Text size="sm">{texts.hasSubgroups}</Text>}
            </Stack>
          </Radio.Group>
        ),
        send: ({ query, headers }) =>
          api.PUT('/api/group/{id}/kind', {
            params: { path, query, header: headers },
            body: { kind: kind ?? 'Ordinary' },
          }),
        describe: ({ answer, computers = 0 }) =>
          answer.kind === 'Ordinary' ? texts.releases(page.name, computers) : texts.freezes(page.name, computers),
        done: () => ({ text: common.saved }),
        refreshes: [groupsKey, groupKey(page.id)],
      }}
    />
  )
}
