import { Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, groupKey, groupsKey } from '../group-queries.ts'

/** Creates a group below the chosen one. */
export function CreatePanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const { groups } = useTexts()
  const [typed, setTyped] = useState({ name: '', description: '' })
  const [values] = useDebouncedValue(typed, 250)
  const type = page.assignedToTree === 'AssignmentGroups' ? 'AssignmentGroups' : 'ConfigurationGroups'
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: groups.createTitle(page.name),
        label: groups.create,
        requestKey: values,
        isComplete: typed.name.trim() !== '' && values.name === typed.name,
        form: (
          <>
            <NamedField name="name">
              <TextInput
                data-autofocus
                label={groups.name}
                required
                value={typed.name}
                onChange={({ currentTarget: { value: name } }) => setTyped((before) => ({ ...before, name }))}
              />
            </NamedField>
            <NamedField name="description">
              <Textarea
                label={groups.description}
                value={typed.description}
                onChange={({ currentTarget: { value: description } }) =>
                  setTyped((before) => ({ ...before, description }))
                }
              />
            </NamedField>
          </>
        ),
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/group', {
            params: { query, header: headers },
            body: { name: typed.name, type, parentId: page.id, description: typed.description || null },
          }),
        describe: () => groups.creates(typed.name, page.path),
        done: ({ id, name }) => ({ text: groups.created(name), to: `/groups/${id}` }),
        refreshes: [groupsKey, groupKey(page.id)],
      }}
    />
  )
}
