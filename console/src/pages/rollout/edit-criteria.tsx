import { TextInput } from '@mantine/core'
import { EditReview } from '../../actions/edit-review.tsx'
import { api } from '../../api/client.ts'
import { NamedField } from '../../components/named-field.tsx'
import { isDeadlineComplete, type UserDeadline } from '../../components/user-deadline/user-deadline.ts'
import { UserDeadlineFields } from '../../components/user-deadline/user-deadline-fields.tsx'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import { areCriteriaComplete, CriteriaFields, type TypedCriteria } from './criteria-fields.tsx'
import type { Rollout } from './describe.ts'

type Edited = { name: string; userDeadline: UserDeadline | null } & TypedCriteria

type EditCriteriaProps = { rollout: Rollout; etag: string; onClose: () => void }

/** Changes what was typed, and nothing else: the rollout may have been changed by others meanwhile. */
export function EditCriteria({ rollout, etag, onClose }: EditCriteriaProps) {
  const { criteria: texts, actions } = useRolloutTexts()
  const { rolloutId } = rollout
  const value: Edited = { name: rollout.name, userDeadline: rollout.userDeadline, ...rollout.criteria }
  return (
    <EditReview
      isOpen
      onClose={onClose}
      version={{ etag, value }}
      title={actions.editTitle}
      label={actions.save}
      labels={texts}
      inWords={({ name, before, now }) => ({ name, before: before ?? texts.never, now: now ?? texts.never })}
      fields={(values, type) => (
        <>
          <NamedField name="name">
            <TextInput
              label={texts.name}
              value={values.name}
              maxLength={255}
              onChange={(event) => type({ name: event.currentTarget.value })}
            />
          </NamedField>
          <UserDeadlineFields value={values.userDeadline} onChange={(next) => type({ userDeadline: next })} />
          <CriteriaFields values={values} onChange={type} />
        </>
      )}
      isComplete={(values) =>
        values.name.trim() !== '' && areCriteriaComplete(values) && isDeadlineComplete(values.userDeadline)
      }
      send={({ uncounted: query, headers }, { typed: { name, userDeadline, ...criteria } }) =>
        api.PATCH('/api/rollouts/{id}', {
          params: { path: { id: rolloutId }, query, header: headers },
          body: {
            ...(name !== undefined && { name: name.trim() }),
            ...(userDeadline !== undefined && { userDeadline }),
            criteria: criteria as Partial<Rollout['criteria']>,
          },
        })
      }
      describe={() => actions.editText}
      done={() => ({ text: actions.edited })}
      refreshes={[['rollout', rolloutId]]}
    />
  )
}
