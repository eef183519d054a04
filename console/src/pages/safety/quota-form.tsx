import { NumberInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type BlastRadius, quotasKey, quotasQuery } from '../../api/blast-radius.ts'
import { answerOf, api } from '../../api/client.ts'
import { FormLayout } from '../../components/form-layout.tsx'
import { Loading } from '../../components/loading.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { useSaving } from '../../components/use-saving.ts'
import { useTexts } from '../../texts/texts.tsx'

export function QuotaForm() {
  const { data, error, refetch } = useQuery(quotasQuery)
  if (error) return <ProblemView error={error} onRetry={refetch} />
  if (!data) return <Loading height={180} />
  return <Quotas stored={data} />
}

/** The fields contain a text while they are empty. */
const toQuota = (value: number | string) => (value === '' ? null : Number(value))

function Quotas({ stored }: { stored: BlastRadius }) {
  const { safety, common } = useTexts()
  const { quotas } = safety
  const queryClient = useQueryClient()
  const form = useForm<{ apiQuota: number | string; consoleQuota: number | string }>({
    initialValues: { apiQuota: stored.apiQuota ?? '', consoleQuota: stored.consoleQuota ?? '' },
  })
  const saving = useSaving(form, async ({ apiQuota, consoleQuota }) => {
    const body = { apiQuota: toQuota(apiQuota), consoleQuota: toQuota(consoleQuota) }
    queryClient.setQueryData(quotasKey, await answerOf(api.PUT('/api/blast-radius', { body })))
    form.resetDirty()
    notifications.show({ message: common.saved })
  })
  const limits = { min: 0, max: 2 ** 31 - 1, allowDecimal: false }
  return (
    <FormLayout saving={saving} submitLabel={quotas.submit} isUnchanged={!form.isDirty()}>
      <NumberInput label={quotas.api} {...limits} {...form.getInputProps('apiQuota')} />
      <NumberInput label={quotas.console} {...limits} {...form.getInputProps('consoleQuota')} />
    </FormLayout>
  )
}
