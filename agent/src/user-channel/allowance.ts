export type Allowance = { burst: number; perSecond: number }

const maxAccounts = 1_000

/** Counts what accounts do. Each may do `burst` at once, and then `perSecond`. */
export function allowances({ burst, perSecond }: Allowance, now = () => performance.now()) {
  const left = new Map<string, { count: number; at: number }>()
  return {
    /** Returns whether the account may do one more. */
    spend(account: string): boolean {
      const at = now()
      const before = left.get(account) ?? { count: burst, at }
      const count = Math.min(burst, before.count + ((at - before.at) / 1000) * perSecond)
      // The oldest entry is the first one: an account that has done nothing for long has a full allowance anyway.
      left.delete(account)
      left.set(account, { count: count < 1 ? count : count - 1, at })
      if (left.size > maxAccounts) left.delete(left.keys().next().value ?? '')
      return count >= 1
    },
  }
}
