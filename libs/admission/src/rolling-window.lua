-- One key of one limit, counted for all gateways. KEYS[1] holds cmsgpack of { until, slots, until, slots, … }, earliest
-- first: so many slots are taken until that moment, in microseconds of this server's clock. A used slot is taken for a
-- window; a held one, which nobody may ever settle, for a lease and a window.
-- ARGV: limit, window, lease, grain of moments (0: exact), in microseconds; operation; then
--   reserve  slots              holds them if all are free
--   settle   hold, slots, used  ends a hold: the used slots are taken for a window from now, the others are free
--   quota
-- Returns { hold (0: none), milliseconds until the slots are free, slots free, milliseconds until one more is }.
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local lease, grain, operation = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local entries, taken = {}, 0
local stored = redis.call('GET', KEYS[1])
local values = stored and cmsgpack.unpack(stored) or {}
for i = 1, #values, 2 do
  if values[i] > now then
    table.insert(entries, { until_moment = values[i], slots = values[i + 1] })
    taken = taken + values[i + 1]
  end
end

local function change(until_moment, slots)
  taken = taken + slots
  for i, entry in ipairs(entries) do
    if entry.until_moment == until_moment then
      entry.slots = entry.slots + slots
      return
    elseif entry.until_moment > until_moment then
      table.insert(entries, i, { until_moment = until_moment, slots = slots })
      return
    end
  end
  table.insert(entries, { until_moment = until_moment, slots = slots })
end

-- Rounded up, so that a slot is never taken for less than a window.
local function after(duration)
  local moment = now + duration
  if grain == 0 then return moment end
  return math.ceil(moment / grain) * grain
end

-- As if what is held were used now.
local function ms_until_free(slots)
  local free = limit - taken
  if free >= slots then return 0 end
  for _, entry in ipairs(entries) do
    free = free + entry.slots
    if free >= slots then return math.ceil(math.min(entry.until_moment - now, window) / 1000) end
  end
  return math.ceil(window / 1000)
end

local function save()
  local packed = {}
  for _, entry in ipairs(entries) do
    if entry.slots > 0 then
      table.insert(packed, entry.until_moment)
      table.insert(packed, entry.slots)
    end
  end
  if #packed == 0 then
    redis.call('DEL', KEYS[1])
  else
    redis.call('SET', KEYS[1], cmsgpack.pack(packed))
    redis.call('PEXPIREAT', KEYS[1], math.ceil(packed[#packed - 1] / 1000))
  end
end

local hold, wait = 0, 0
if operation == 'reserve' then
  local slots = tonumber(ARGV[6])
  wait = ms_until_free(slots)
  if wait == 0 then
    hold = after(lease + window)
    change(hold, slots)
    save()
  end
elseif operation == 'settle' then
  local settled, slots, used = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
  for _, entry in ipairs(entries) do
    -- It is missing where the server lost what it had.
    if entry.until_moment == settled then change(settled, -math.min(slots, entry.slots)) end
  end
  if used > 0 then change(after(window), used) end
  save()
end
local free = math.max(0, limit - taken)
return { hold, wait, free, taken == 0 and 0 or ms_until_free(free + 1) }
