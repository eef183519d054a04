import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { ReviewedAction } from '../../actions/reviewed-action.ts'
import { api, type Schemas } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from '../patches/patches.module.css'

type Product = Schemas['PatchPage']['products'][number]
type Approval = Schemas['PatchApproval']

/** The product versions of the patch. Each is approved on its own. */
export function PatchProducts({ data: { products } }: { data: Schemas['PatchPage'] }) {
  const patches = usePatchTexts()
  const texts = patches.patch
  const format = useFormat()
  const mayApprove = useHasRole('pm.approve')
  const number = (value: number) => <span className={classes.number}>{format.number(value)}</span>
  const columns: Column<Product>[] = [
    { id: 'product', title: texts.product, cell: ({ productName }) => productName },
    { id: 'missing', title: texts.missing, cell: ({ missing }) => number(missing), width: 90 },
    { id: 'installed', title: texts.installed, cell: ({ installed }) => number(installed), width: 100 },
    { id: 'approval', title: patches.columns.approval, cell: (product) => <State product={product} />, width: 220 },
    ...(mayApprove
      ? [
          {
            id: 'change',
            title: patches.columns.change,
            cell: (product: Product) => <ApprovalButton product={product} />,
            width: 150,
          },
        ]
      : []),
  ]
  return (
    <Section title={texts.products}>
      <DataTable
        caption={texts.products}
        columns={columns}
        rows={products}
        rowKey={({ productId }) => productId}
        error={null}
        onRetry={() => undefined}
        empty={{ title: patches.emptyTitle, text: patches.emptyText }}
      />
    </Section>
  )
}

function State({ product: { isApproved, approvedUtc } }: { product: Product }) {
  const patches = usePatchTexts()
  const format = useFormat()
  if (!isApproved) return <StatusBadge kind="neutral">{patches.notApproved}</StatusBadge>
  return (
    <>
      <StatusBadge kind="good">{patches.approved}</StatusBadge>
      {approvedUtc && (
        <Text size="xs" c="dimmed">
          {format.dateTime(approvedUtc)}
        </Text>
      )}
    </>
  )
}

function ApprovalButton({ product }: { product: Product }) {
  const { patch: texts } = usePatchTexts()
  const { isApproved, productName } = product
  const [isOpen, panel] = useDisclosure()
  const action = useApprovalChange(product)
  return (
    <>
      <Button
        size="compact-sm"
        variant={isApproved ? 'default' : 'filled'}
        onClick={panel.open}
        aria-label={isApproved ? texts.revokeFor(productName) : texts.approveFor(productName)}
      >
        {isApproved ? texts.revoke : texts.approve}
      </Button>
      <ReviewPanel isOpen={isOpen} onClose={panel.close} action={action} />
    </>
  )
}

/** Approves the patch for a product version, or revokes that. Each undoes the other. */
function useApprovalChange({ patchId, productId, productName, isApproved }: Product): ReviewedAction<Approval> {
  const patches = usePatchTexts()
  const { actions } = useTexts()
  const texts = patches.patch
  const params = { path: { patchId } }
  const refreshes = [['patches']]
  if (isApproved)
    return {
      title: texts.revokeTitle,
      label: texts.revoke,
      requestKey: ['revoke', patchId, productId],
      send: ({ query }) =>
        api.DELETE('/api/patches/{patchId}/approval', { params: { ...params, query: { productId, ...query } } }),
      describe: ({ computers = 0 }) => texts.revokeText(productName, computers),
      done: () => ({
        text: texts.revokeDone,
        undo: {
          label: actions.undo,
          run: () => api.POST('/api/patches/{patchId}/approval', { params: { ...params, query: { productId } } }),
          done: texts.approveDone,
        },
      }),
      refreshes,
    }
  return {
    title: texts.approveTitle,
    label: texts.approve,
    requestKey: ['approve', patchId, productId],
    send: ({ query, headers }) =>
      api.POST('/api/patches/{patchId}/approval', {
        params: { ...params, query: { productId, ...query }, header: headers },
      }),
    describe: ({ computers = 0 }) => texts.approveText(productName, computers),
    done: () => ({
      text: texts.approveDone,
      undo: {
        label: actions.undo,
        run: () => api.DELETE('/api/patches/{patchId}/approval', { params: { ...params, query: { productId } } }),
        done: texts.revokeDone,
      },
    }),
    refreshes,
  }
}
