import { Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { PanelProps } from '../../actions/use-panels.ts'
import { api } from '../../api/client.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { type PatchPolicy, policiesKey } from './policies.ts'
import { areComplete, PolicyFields, type PolicyValues } from './policy-fields.tsx'
import { Rehearsal } from './rehearsal.tsx'

/** Creates a policy. It begins with what most people want. */
export function CreatePolicyPanel(panel: PanelProps) {
  const texts = usePatchPolicyTexts()
  const { does } = texts
  const [typed, setTyped] = useState<PolicyValues>({
    name: '',
    description: '',
    priority: 100,
    rules: [{ name: does.Approve(7), action: 'Approve', afterDays: 7 }],
    rings: [],
    restart: null,
  })
  const [settled] = useDebouncedValue(typed, 250)
  const body = { ...typed, name: typed.name.trim() }
  return (
    <ReviewPanel<PatchPolicy>
      {...panel}
      action={{
        title: texts.create,
        label: texts.create,
        requestKey: settled,
        isComplete: settled === typed && areComplete(typed),
        form: (
          <Stack gap="sm">
            <PolicyFields values={typed} onChange={(changes) => setTyped((before) => ({ ...before, ...changes }))} />
            <Rehearsal rules={typed.rules} />
          </Stack>
        ),
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/patch-policies', { params: { query, header: headers }, body }),
        describe: ({ answer }) => texts.creates(answer.name),
        done: ({ id }) => ({ text: texts.created, to: `/patch-policies/${id}` }),
        refreshes: [policiesKey],
      }}
    />
  )
}
