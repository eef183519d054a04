import { CopyField } from '../../components/copy-field.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { useWebhookTexts } from '../../texts/webhook-texts.ts'

/** Shows the secret with which a webhook signs, once. */
export function WebhookSecret({ secret, onDone }: { secret: string | undefined; onDone: () => void }) {
  const texts = useWebhookTexts()
  return (
    <ShownOnce title={texts.secretTitle} warning={texts.secretWarning} storedLabel={texts.secretStored} onDone={onDone}>
      {secret && <CopyField label={texts.secret} value={secret} />}
    </ShownOnce>
  )
}
