import { Select, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/types.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'

type Added = components['schemas']['PmGroupPatchesAdded']

/** Adds a patch for one of its product versions. */
export function AddPatch({ groupId, onClose }: { groupId: number; onClose: () => void }) {
  const { group, filters } = usePatchTexts()
  const [patchId, setPatchId] = useState('')
  const [productId, setProductId] = useState('')
  const [search, setSearch] = useState('')
  const [text] = useDebouncedValue(search, 250)
  const found = useQuery({
    queryKey: ['patches', 'choice', text],
    queryFn: () =>
      answerOf(api.GET('/api/fleet/patches', { params: { query: { top: 20, ...(text && { search: text }) } } })),
    placeholderData: keepPreviousData,
  })
  const chosen = useQuery({
    queryKey: ['patches', 'one', Number(patchId)],
    queryFn: () =>
      answerOf(api.GET('/api/fleet/patches/{patchId}', { params: { path: { patchId: Number(patchId) } } })),
    enabled: patchId !== '',
  })
  const products = chosen.data?.products ?? []
  const product = productId || (products.length === 1 ? String(products[0]?.productId) : '')
  const body = { patchIds: [Number(patchId)], productId: Number(product) }
  const form = (
    <Stack>
      <Select
        label={group.addSearch}
        placeholder={filters.searchHint}
        data={(found.data?.items ?? []).map((patch) => ({
          value: String(patch.patchId),
          label: visibleLine([patch.qNumber, patch.patchName].filter(Boolean).join(' · ') || `#${patch.patchId}`),
        }))}
        value={patchId || null}
        onChange={(value) => {
          setPatchId(value ?? '')
          setProductId('')
        }}
        searchable
        onSearchChange={setSearch}
        // The service has already filtered the options.
        filter={({ options }) => options}
        data-autofocus
      />
      <Select
        label={group.addProduct}
        disabled={products.length === 0}
        data={products.map(({ productId, productName }) => ({
          value: String(productId),
          label: visibleLine(productName),
        }))}
        value={product || null}
        onChange={(value) => setProductId(value ?? '')}
      />
    </Stack>
  )
  return (
    <ReviewPanel<Added>
      isOpen
      onClose={onClose}
      action={{
        title: group.addTitle,
        label: group.add,
        form,
        isComplete: patchId !== '' && product !== '',
        requestKey: body,
        send: ({ query, headers }) =>
          api.POST('/api/pmgroup/{id}/patches', { params: { path: { id: groupId }, query, header: headers }, body }),
        describe: ({ computers = 0 }) => group.addText(computers),
        done: () => ({ text: group.added }),
        refreshes: [['patches', 'group', groupId]],
      }}
    />
  )
}
