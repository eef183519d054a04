import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EditReview } from '../../actions/edit-review.tsx'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api } from '../../api/client.ts'
import { NamedField } from '../../components/named-field.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { pmGroupVersionQuery } from './pm-group-version.ts'

type PmGroup = { id: number; name: string }

/** The button that renames the patch group or describes it. */
export function EditGroup({ pmGroup }: { pmGroup: PmGroup }) {
  const { group } = usePatchTexts()
  const { shown, open, onClose } = usePanels<'edit'>()
  if (!useHasRole('pm.write')) return null
  return (
    <>
      <Button variant="default" onClick={() => open('edit', undefined)}>
        {group.edit}
      </Button>
      {shown && <EditPanel key={shown.number} pmGroup={pmGroup} isOpen={shown.isOpen} onClose={onClose} />}
    </>
  )
}

function EditPanel({ pmGroup: { id, name }, ...panel }: PanelProps & { pmGroup: PmGroup }) {
  const { group, groups } = usePatchTexts()
  const path = { id }
  const { data: version, error } = useQuery(pmGroupVersionQuery(id))
  return (
    <EditReview
      {...panel}
      version={version}
      error={error}
      title={group.editTitle(name)}
      labels={{ name: groups.name, description: groups.description }}
      fields={(values, type) => (
        <>
          <NamedField name="name">
            <TextInput
              data-autofocus
              required
              label={groups.name}
              maxLength={255}
              value={values.name}
              onChange={(event) => type({ name: event.currentTarget.value })}
            />
          </NamedField>
          <NamedField name="description">
            <TextInput
              label={groups.description}
              maxLength={1000}
              value={values.description ?? ''}
              onChange={(event) => type({ description: event.currentTarget.value })}
            />
          </NamedField>
        </>
      )}
      isComplete={(values) => values.name.trim() !== ''}
      send={({ uncounted: query, headers }, { typed }) =>
        api.PATCH('/api/pmgroup/{id}', {
          params: { path, query, header: headers },
          body: {
            ...(typed.name !== undefined && { name: typed.name.trim() }),
            ...(typed.description !== undefined && { description: typed.description ?? '' }),
          },
        })
      }
      describe={({ answer }) => group.edits(answer.name)}
      refreshes={[['patches']]}
    />
  )
}
