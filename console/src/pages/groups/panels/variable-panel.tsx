import { Checkbox, PasswordInput, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EditReview } from '../../../actions/edit-review.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, type GroupVariable, groupKey, variableVersionQuery } from '../group-queries.ts'
import { ReportedPropertiesWarning } from '../reported-properties-warning.tsx'

export type VariablePanelProps = PanelProps & { page: GroupPageData; variable: GroupVariable }

/** Sets the value of a variable on the group. The value of a secret is written, but never shown. */
export function VariablePanel({ page, variable, ...panel }: VariablePanelProps) {
  const { groups } = useTexts()
  const { varId, dottedName, isSecret } = variable
  const { data: version, error } = useQuery(variableVersionQuery(page.id, varId))
  return (
    <EditReview
      {...panel}
      version={version}
      error={error}
      title={dottedName}
      labels={{ value: groups.value, forced: groups.forced }}
      fields={(values, type) => {
        const input = {
          'data-autofocus': true,
          label: groups.value,
          value: values.value ?? '',
          onChange: ({ currentTarget }: { currentTarget: { value: string } }) => type({ value: currentTarget.value }),
        }
        return (
          <>
            <ReportedPropertiesWarning warning={values.warning} />
            {isSecret ? (
              <NamedField name="value">
                <PasswordInput {...input} description={groups.secretHint} autoComplete="new-password" />
              </NamedField>
            ) : (
              <NamedField name="value">
                <Textarea {...input} />
              </NamedField>
            )}
            <Checkbox
              label={groups.forced}
              description={groups.forcedHint}
              checked={values.forced ?? false}
              onChange={(event) => type({ forced: event.currentTarget.checked })}
            />
          </>
        )
      }}
      // A secret is not known here: setting only its flag would overwrite it.
      isComplete={(_, typed) => !isSecret || typed.value !== undefined}
      send={({ query, headers }, { values: { value, forced } }) =>
        api.PUT('/api/group/{id}/variables/{varId}', {
          params: { path: { id: page.id, varId }, query, header: headers },
          body: { value: value ?? '', forced: forced ?? false },
        })
      }
      describe={({ computers = 0 }) => groups.setsVariable(dottedName, computers)}
      refreshes={[groupKey(page.id)]}
    />
  )
}
