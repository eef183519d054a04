import { Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EditReview } from '../../../actions/edit-review.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api, type Schemas } from '../../../api/client.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, groupKey, groupsKey, groupVersionQuery } from '../group-queries.ts'

/** Renames the group or changes its description. */
export function EditPanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const { groups } = useTexts()
  const { data: version, error } = useQuery(groupVersionQuery(page.id))
  return (
    <EditReview<Pick<Schemas['Group'], 'name' | 'description'>, Schemas['Group']>
      {...panel}
      version={version}
      known={page}
      error={error}
      title={groups.editTitle(page.name)}
      labels={{ name: groups.name, description: groups.description }}
      fields={(values, type) => (
        <>
          <NamedField name="name">
            <TextInput
              data-autofocus
              label={groups.name}
              required
              value={values.name}
              onChange={(event) => type({ name: event.currentTarget.value })}
            />
          </NamedField>
          <NamedField name="description">
            <Textarea
              label={groups.description}
              value={values.description ?? ''}
              onChange={(event) => type({ description: event.currentTarget.value })}
            />
          </NamedField>
        </>
      )}
      isComplete={({ name }) => name.trim() !== ''}
      send={({ uncounted: query, headers }, { typed: { name, description } }) =>
        api.PATCH('/api/group/{id}', {
          params: { path: { id: page.id }, query, header: headers },
          body: {
            ...(name !== undefined && { name }),
            ...(description !== undefined && { description: description ?? '' }),
          },
        })
      }
      describe={({ answer }) => groups.edits(answer.name)}
      refreshes={[groupsKey, groupKey(page.id)]}
    />
  )
}
