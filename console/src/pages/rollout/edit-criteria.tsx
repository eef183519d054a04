import { Stack, TextInput } from '@mantine/core'
import { OtherChanges } from '../../actions/other-changes.tsx'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { useEdited } from '../../actions/use-edited.ts'
import { api } from '../../api/client.ts'
import { isDeadlineComplete, type UserDeadline } from '../../components/user-deadline/user-deadline.ts'
import { UserDeadlineFields } from '../../components/user-deadline/user-deadline-fields.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { areCriteriaComplete, CriteriaFields, type TypedCriteria } from './criteria-fields.tsx'
import type { Rollout } from './describe.ts'

type Edited = { name: string; userDeadline: UserDeadline | null } & TypedCriteria

type EditCriteriaProps = { rollout: Rollout; etag: string; onClose: () => void }

/** Changes what was typed, and nothing else: the rollout may have been changed by others meanwhile. */
export function EditCriteria({ rollout, etag: seen, onClose }: EditCriteriaProps) {
  const { criteria: texts, actions } = useTexts().rollouts
  const current: Edited = { name: rollout.name, userDeadline: rollout.userDeadline, ...rollout.criteria }
  const { values = current, typed, etag, isChanged, others, type } = useEdited({ value: current, etag: seen })
  const { name, userDeadline, ...criteria } = typed
  const body = {
    ...(name !== undefined && { name: name.trim() }),
    ...(userDeadline !== undefined && { userDeadline }),
    criteria: criteria as Partial<Rollout['criteria']>,
  }
  return (
    <ReviewPanel
      isOpen
      onClose={onClose}
      action={{
        title: actions.editTitle,
        label: actions.save,
        form: (
          <Stack>
            <OtherChanges
              changes={others.map((one) => ({
                ...one,
                before: one.before ?? texts.never,
                now: one.now ?? texts.never,
              }))}
              labels={texts}
            />
            <TextInput
              label={texts.name}
              value={values.name}
              maxLength={255}
              onChange={(event) => type({ name: event.currentTarget.value })}
            />
            <UserDeadlineFields value={values.userDeadline} onChange={(next) => type({ userDeadline: next })} />
            <CriteriaFields values={values} onChange={type} />
          </Stack>
        ),
        isComplete:
          isChanged &&
          values.name.trim() !== '' &&
          areCriteriaComplete(values) &&
          isDeadlineComplete(values.userDeadline),
        ...(etag && { etag }),
        requestKey: body,
        send: ({ query: { dryRun }, headers }) =>
          api.PATCH('/api/rollouts/{id}', {
            params: { path: { id: rollout.rolloutId }, query: dryRun ? { dryRun } : {}, header: headers },
            body,
          }),
        describe: () => actions.editText,
        done: () => ({ text: actions.edited }),
        refreshes: [['rollout', rollout.rolloutId]],
      }}
    />
  )
}
