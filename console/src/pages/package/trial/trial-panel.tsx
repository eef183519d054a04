import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { answerOf, api } from '../../../api/client.ts'
import type { Package } from '../../../api/packages.ts'
import { usePackageTrialTexts } from '../../../texts/package-trial-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'

type TrialPanelProps = { isOpen: boolean; onClose: () => void; found: Package }

/** Starts a trial on the computer that is chosen. */
export function TrialPanel({ isOpen, onClose, found: { id, name } }: TrialPanelProps) {
  const texts = usePackageTrialTexts()
  const [computerId, setComputerId] = useState('')
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.startTitle(name),
        label: texts.submit,
        requestKey: { id, computerId },
        isComplete: computerId !== '',
        form: <ComputerField value={computerId} onChange={setComputerId} />,
        send: ({ query, headers }) =>
          api.POST('/api/packages/{id}/trials', {
            params: { path: { id }, query, header: headers },
            body: { computerId: Number(computerId) },
          }),
        describe: () => texts.describe,
        done: () => ({ text: texts.started, to: `/packages/${id}` }),
        refreshes: [['package', id]],
      }}
    />
  )
}

type ComputerFieldProps = { value: string; onChange: (computerId: string) => void }

/** Finds a computer by name, serial number, user or address. */
function ComputerField({ value, onChange }: ComputerFieldProps) {
  const { common } = useTexts()
  const texts = usePackageTrialTexts()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 250)
  const { data } = useQuery({
    queryKey: ['computers', 'trial', search],
    queryFn: () =>
      answerOf(api.GET('/api/fleet/computers', { params: { query: { top: 20, ...(search && { search }) } } })),
    placeholderData: keepPreviousData,
  })
  const options = (data?.items ?? []).map(({ id, hostname }) => ({ value: String(id), label: visibleLine(hostname) }))
  return (
    <Select
      data-autofocus
      required
      label={texts.computer}
      description={texts.computerHint}
      data={options}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      searchable
      nothingFoundMessage={common.nothingFound}
      // The name of a chosen computer is not a search.
      onSearchChange={(text) => setTyped(options.some((option) => option.label === text) ? typed : text)}
      // The service has already filtered the options.
      filter={({ options: found }) => found}
    />
  )
}
