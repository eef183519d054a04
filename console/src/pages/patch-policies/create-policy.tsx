import { Button } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { usePanels } from '../../actions/use-panels.ts'
import { IconPlus } from '../../components/icons.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'

// Its fields are half of what the page of patches would load.
const CreatePolicyPanel = lazy(async () => ({ default: (await import('./create-policy-panel.tsx')).CreatePolicyPanel }))

/** The button that creates a policy. */
export function CreatePolicy() {
  const texts = usePatchPolicyTexts()
  const { shown, open, onClose } = usePanels<'create'>()
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open('create', undefined)}>
        {texts.create}
      </Button>
      {shown && (
        <Suspense fallback={null}>
          <CreatePolicyPanel key={shown.number} isOpen={shown.isOpen} onClose={onClose} />
        </Suspense>
      )}
    </>
  )
}
