import { Button } from '@mantine/core'
import { DeleteReview } from '../../actions/delete-review.tsx'
import { EditReview } from '../../actions/edit-review.tsx'
import type { OtherChange } from '../../actions/use-edited.ts'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api, type Versioned } from '../../api/client.ts'
import { IconTrash } from '../../components/icons.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { useRestartWords } from '../patch-policies/describe-restart.ts'
import { type PatchPolicy, type PatchRestart, policiesKey } from '../patch-policies/policies.ts'
import { areComplete, PolicyFields } from '../patch-policies/policy-fields.tsx'
import { Rehearsal } from '../patch-policies/rehearsal.tsx'

type PolicyPanelProps = PanelProps & { version: Versioned<PatchPolicy> }

/** What those who approve patches can do with a policy. */
export function PolicyActions({ version }: { version: Versioned<PatchPolicy> }) {
  const texts = usePatchPolicyTexts()
  const { shown, open, onClose } = usePanels<'edit' | 'delete'>()
  const Panel = shown?.name === 'delete' ? DeletePanel : EditPanel
  return (
    <>
      <Button variant="default" onClick={() => open('edit', undefined)}>
        {texts.edit}
      </Button>
      <Button
        variant="default"
        c="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => open('delete', undefined)}
      >
        {texts.delete}
      </Button>
      {shown && <Panel key={shown.number} version={version} isOpen={shown.isOpen} onClose={onClose} />}
    </>
  )
}

function EditPanel({ version, ...panel }: PolicyPanelProps) {
  const texts = usePatchPolicyTexts()
  const { id, name } = version.value
  const words = useRestartWords()
  const restartInWords = (restart: PatchRestart) => words(restart).windows.join('; ')
  return (
    <EditReview<PatchPolicy, PatchPolicy>
      {...panel}
      version={version}
      title={texts.editTitle(name)}
      labels={{ ...texts.fields, rules: texts.rules, rings: texts.ring.title, restart: texts.restart.title }}
      inWords={(change) => partsByName(change, restartInWords)}
      fields={(values, type) => (
        <>
          <PolicyFields values={values} onChange={type} />
          <Rehearsal rules={values.rules} />
        </>
      )}
      isComplete={areComplete}
      send={({ query, headers }, { typed }) =>
        api.PATCH('/api/patch-policies/{id}', {
          params: { path: { id }, query, header: headers },
          body: toPolicyChanges(typed),
        })
      }
      describe={({ computers = 0 }) => texts.edits(computers)}
      refreshes={[policiesKey]}
    />
  )
}

/** What others change about rules and rings, by their names in their order, and about restarts. */
function partsByName(change: OtherChange, restartInWords: (restart: PatchRestart) => string): OtherChange {
  const inWords = (value: unknown) => {
    if (Array.isArray(value)) return value.map(({ name }: { name: string }) => name).join(', ')
    return change.name === 'restart' && value ? restartInWords(value as PatchRestart) : value
  }
  return { ...change, before: inWords(change.before), now: inWords(change.now) }
}

const toPolicyChanges = ({ name, description, priority, rules, rings, restart }: Partial<PatchPolicy>) => ({
  ...(name !== undefined && { name: name.trim() }),
  ...(description !== undefined && { description }),
  ...(priority !== undefined && { priority }),
  ...(rules !== undefined && { rules }),
  // The path is only in the answer.
  ...(rings !== undefined && { rings: rings.map(({ groupPath: _, ...ring }) => ring) }),
  ...(restart !== undefined && { restart }),
})

function DeletePanel({ version, ...panel }: PolicyPanelProps) {
  const texts = usePatchPolicyTexts()
  const { id } = version.value
  return (
    <DeleteReview
      {...panel}
      version={version}
      title={texts.deleteTitle}
      label={texts.delete}
      send={({ query, headers }) =>
        api.DELETE('/api/patch-policies/{id}', { params: { path: { id }, query, header: headers } })
      }
      describe={({ computers = 0 }) => texts.deletes(computers)}
      done={() => ({ text: texts.deleted, to: '/patches/policies' })}
      refreshes={[policiesKey]}
    />
  )
}
