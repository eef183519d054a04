import { MultiSelect } from '@mantine/core'
import { visibleLine } from '@muster/text'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OtherChanges } from '../../../actions/other-changes.tsx'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { useEdited } from '../../../actions/use-edited.ts'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { answerOf, api, type Versioned, versionOf } from '../../../api/client.ts'
import { Loading } from '../../../components/loading.tsx'
import { NamedField } from '../../../components/named-field.tsx'
import { ProblemAlert } from '../../../components/problem-view.tsx'
import { useGroupObjectTexts } from '../../../texts/group-object-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, groupKey } from '../group-queries.ts'

/** Chooses the depots of the group. Their order is that in which computers try them. */
export function DepotsPanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const texts = useGroupObjectTexts()
  const { common } = useTexts()
  const path = { id: page.id }
  const known = useQuery({
    queryKey: ['depots', 'servers'],
    queryFn: () => answerOf(api.GET('/api/system/depot-servers', { params: { query: { top: 1000 } } })),
  })
  const current = useQuery({
    queryKey: [...groupKey(page.id), 'depots'],
    queryFn: () => readDepots(page.id),
  })
  const [typed, setTyped] = useState<readonly string[]>()
  const nameOf = (id: string) => known.data?.items.find(({ clientId }) => String(clientId) === id)?.hostname ?? id
  const inWords = current.data && { ...current.data, value: { depots: current.data.value.map(nameOf) } }
  const { others, etag } = useEdited(known.data && inWords)
  const chosen = typed ?? current.data?.value ?? []
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: texts.depotsTitle(page.name),
        label: common.save,
        requestKey: [chosen, etag],
        isComplete: etag !== undefined && typed !== undefined,
        ...(etag && { etag }),
        form:
          known.data && current.data ? (
            <>
              <OtherChanges changes={others} labels={{ depots: texts.depotsField }} />
              <NamedField name="depotServers">
                <MultiSelect
                  data-autofocus
                  label={texts.depotsField}
                  description={texts.depotsHint}
                  data={known.data.items.map(({ clientId, hostname }) => ({
                    value: String(clientId),
                    label: visibleLine(hostname),
                  }))}
                  value={[...chosen]}
                  onChange={setTyped}
                  searchable
                  clearable
                />
              </NamedField>
            </>
          ) : (
            <>
              <ProblemAlert error={known.error ?? current.error} />
              <Loading height={60} />
            </>
          ),
        send: ({ query, headers }) =>
          api.PUT('/api/group/{id}/depot-servers', {
            params: { path, query, header: headers },
            body: { depotServers: chosen.map(Number) },
          }),
        describe: ({ computers = 0 }) =>
          chosen.length > 0 ? texts.depotsOrder(chosen.map(nameOf).join(', '), computers) : texts.noDepots(computers),
        done: () => ({ text: common.saved }),
        refreshes: [groupKey(page.id)],
      }}
    />
  )
}

/** The ids of all depots of the group, in their order. Their version is that of the first page, which the service compares. */
async function readDepots(id: string): Promise<Versioned<string[]>> {
  const params = { path: { id } }
  const first = await versionOf(api.GET('/api/group/{id}/depot-servers', { params }))
  const { items } = first.value.hasMore
    ? await answerOf(api.GET('/api/group/{id}/depot-servers', { params: { ...params, query: { top: 1000 } } }))
    : first.value
  return { etag: first.etag, value: items.map(({ clientId }) => String(clientId)) }
}
