import { Button, Checkbox, Group, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api, type Schemas } from '../../api/client.ts'
import { NamedField } from '../../components/named-field.tsx'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { type PatchProgress, policiesKey } from '../patch-policies/policies.ts'

type Target = { policyId: number; patch: PatchProgress }
type Answer = Schemas['PatchProgressList']

const panels = { pause: PausePatch, resume: ResumePatch, stop: StopPatch, rollBack: StopPatch }

/** What those who approve patches can do with a patch of a policy. */
export function ProgressActions(target: Target) {
  const { progress: texts } = usePatchPolicyTexts()
  const { state, patchName, isApprovedByPerson } = target.patch
  const { shown, open, onClose } = usePanels<keyof typeof panels>()
  const canResume = state === 'Paused' || state === 'Stopped'
  const Panel = panels[shown?.name ?? 'pause']
  const button = (name: keyof typeof panels) => (
    <Button variant="default" size="xs" aria-label={texts[name].of(patchName)} onClick={() => open(name, undefined)}>
      {texts[name].label}
    </Button>
  )
  return (
    <Group gap={4}>
      {canResume ? button('resume') : !isApprovedByPerson && button('pause')}
      {button(state === 'Stopped' ? 'rollBack' : 'stop')}
      {shown && <Panel key={shown.number} {...target} isOpen={shown.isOpen} onClose={onClose} />}
    </Group>
  )
}

const requestOf = ({ policyId, patch: { patchId, productId } }: Target) => ({
  path: { id: policyId, patchId },
  scope: { productId },
})

function PausePatch({ policyId, patch, ...panel }: Target & PanelProps) {
  const { progress } = usePatchPolicyTexts()
  const texts = progress.pause
  const { path, scope } = requestOf({ policyId, patch })
  const { form, reason } = useReason()
  return (
    <ReviewPanel<Answer>
      {...panel}
      action={{
        title: texts.of(patch.patchName),
        label: texts.label,
        form,
        requestKey: ['pause', path, scope, reason],
        send: ({ uncounted, headers }) =>
          api.POST('/api/patch-policies/{id}/progress/{patchId}/pause', {
            params: { path, query: { ...scope, ...uncounted }, header: headers },
            body: { reason },
          }),
        describe: () => texts.text,
        done: () => ({ text: texts.done }),
        refreshes: [policiesKey],
      }}
    />
  )
}

/** Stops a patch, and rolls it back if the person wants that: always if it is stopped already. */
function StopPatch({ policyId, patch, ...panel }: Target & PanelProps) {
  const { progress } = usePatchPolicyTexts()
  const [isChosen, setIsChosen] = useState(false)
  const isStopped = patch.state === 'Stopped'
  const rollBack = isStopped || isChosen
  const texts = isStopped ? progress.rollBack : progress.stop
  const { path, scope } = requestOf({ policyId, patch })
  const { form, reason } = useReason()
  return (
    <ReviewPanel<Answer>
      {...panel}
      action={{
        title: texts.of(patch.patchName),
        label: texts.label,
        form: (
          <>
            {form}
            {!isStopped && (
              <Checkbox
                label={progress.stop.rollBack}
                description={progress.stop.rollBackHint}
                checked={isChosen}
                onChange={(event) => setIsChosen(event.currentTarget.checked)}
              />
            )}
          </>
        ),
        requestKey: ['stop', path, scope, reason, rollBack],
        send: ({ query, headers }) =>
          api.POST('/api/patch-policies/{id}/progress/{patchId}/stop', {
            params: { path, query: { ...scope, ...query }, header: headers },
            body: { reason, rollBack },
          }),
        describe: ({ computers = 0 }) => (rollBack ? progress.rollBack.text(computers) : progress.stop.text),
        isSevere: rollBack,
        done: () => ({ text: texts.done }),
        refreshes: [policiesKey],
      }}
    />
  )
}

function ResumePatch({ policyId, patch, ...panel }: Target & PanelProps) {
  const { progress } = usePatchPolicyTexts()
  const texts = progress.resume
  const { path, scope } = requestOf({ policyId, patch })
  return (
    <ReviewPanel<Answer>
      {...panel}
      action={{
        title: texts.of(patch.patchName),
        label: texts.label,
        requestKey: ['resume', path, scope],
        send: ({ query, headers }) =>
          api.POST('/api/patch-policies/{id}/progress/{patchId}/resume', {
            params: { path, query: { ...scope, ...query }, header: headers },
          }),
        describe: ({ computers = 0 }) => texts.text(computers),
        done: () => ({ text: texts.done }),
        refreshes: [policiesKey],
      }}
    />
  )
}

function useReason(): { form: ReactNode; reason: string | null } {
  const { progress: texts } = usePatchPolicyTexts()
  const [reason, setReason] = useState('')
  const form = (
    <NamedField name="reason">
      <Textarea
        label={texts.reason}
        description={texts.reasonHint}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
      />
    </NamedField>
  )
  return { form, reason: reason.trim() || null }
}
