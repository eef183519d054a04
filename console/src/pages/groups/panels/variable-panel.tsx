import { Checkbox, PasswordInput, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { OtherChanges } from '../../../actions/other-changes.tsx'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { useEdited } from '../../../actions/use-edited.ts'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, type GroupVariable, groupKey, variableVersionQuery } from '../group-queries.ts'
import { ReportedPropertiesWarning } from '../reported-properties-warning.tsx'

export type VariablePanelProps = PanelProps & { page: GroupPageData; variable: GroupVariable }

/** Sets the value of a variable on the group. The value of a secret is written, but never shown. */
export function VariablePanel({ page, variable, ...panel }: VariablePanelProps) {
  const { groups, common } = useTexts()
  const { varId, dottedName, isSecret } = variable
  const { data: version } = useQuery(variableVersionQuery(page.id, varId))
  const { values, etag, typed, isChanged, others, type } = useEdited(version)
  const [settled] = useDebouncedValue(typed, 250)
  const value = values?.value ?? ''
  const input = {
    'data-autofocus': true,
    label: groups.value,
    value,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => type({ value: currentTarget.value }),
  }
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: dottedName,
        label: common.save,
        requestKey: settled,
        // A secret is not known here: setting only its flag would overwrite it.
        isComplete: isChanged && settled === typed && (!isSecret || typed.value !== undefined),
        ...(etag && { etag }),
        form: (
          <>
            <ReportedPropertiesWarning warning={values?.warning} />
            <OtherChanges changes={others} labels={{ value: groups.value, forced: groups.forced }} />
            {isSecret ? (
              <PasswordInput {...input} description={groups.secretHint} autoComplete="new-password" />
            ) : (
              <Textarea {...input} />
            )}
            <Checkbox
              label={groups.forced}
              description={groups.forcedHint}
              checked={values?.forced ?? false}
              onChange={(event) => type({ forced: event.currentTarget.checked })}
            />
          </>
        ),
        send: ({ query, headers }) =>
          api.PUT('/api/group/{id}/variables/{varId}', {
            params: { path: { id: page.id, varId }, query, header: headers },
            body: { value, forced: values?.forced ?? false },
          }),
        describe: ({ computers = 0 }) => groups.setsVariable(dottedName, computers),
        done: () => ({ text: common.saved }),
        refreshes: [groupKey(page.id)],
      }}
    />
  )
}
