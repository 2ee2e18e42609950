-- One key of one limit, counted over all gateways. KEYS[1] is a hash with a field for each session of a gateway:
-- cmsgpack of { slots held, when they count no more, stamp, slots, stamp, slots, … }, in milliseconds of this
-- server's clock. A stamp counts for a window; holds that nobody ends count for a lease and a window.
-- ARGV: operation, session, window, lease, grain of stamps (0: exact), limit, own limit; then
--   reserve  slots                              answers 0, or the milliseconds until so many are free
--   settle   slots, used                        answers 0
--   quota                                       answers { slots free, milliseconds until one more is }
--   restore  gateway, held, age, slots, …       answers 0; replaces all sessions of the gateway by this one
local operation, session = ARGV[1], ARGV[2]
local window, lease, grain = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local limit, own_limit = tonumber(ARGV[6]), tonumber(ARGV[7])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000

-- Rounded up, so that a stamp never counts for less than a window.
local function stamp_of(moment)
  if grain == 0 then return moment end
  return math.ceil(moment / grain) * grain
end

local function unpack_field(packed)
  local values = cmsgpack.unpack(packed)
  local field = { held = values[1], held_until = values[2], used = {}, taken = 0 }
  if field.held_until <= now then field.held = 0 end
  field.taken = field.held
  for i = 3, #values, 2 do
    if values[i] + window > now then
      table.insert(field.used, { stamp = values[i], slots = values[i + 1] })
      field.taken = field.taken + values[i + 1]
    end
  end
  return field
end

local function add_stamp(field, stamp, slots)
  local last = field.used[#field.used]
  if last and last.stamp == stamp then
    last.slots = last.slots + slots
  else
    table.insert(field.used, { stamp = stamp, slots = slots })
  end
end

local own = { held = 0, held_until = 0, used = {}, taken = 0 }
local all = { used = {}, taken = 0 }
local counts_until = now

local function see(field)
  all.taken = all.taken + field.taken
  if field.held > 0 then counts_until = math.max(counts_until, field.held_until) end
  for _, entry in ipairs(field.used) do
    table.insert(all.used, entry)
    counts_until = math.max(counts_until, entry.stamp + window)
  end
end

local stored = redis.call('HGETALL', KEYS[1])
for i = 1, #stored, 2 do
  local field = unpack_field(stored[i + 1])
  local replaced = operation == 'restore' and string.sub(stored[i], 1, #ARGV[8]) == ARGV[8]
  if field.taken == 0 or replaced then
    redis.call('HDEL', KEYS[1], stored[i])
  else
    see(field)
    if stored[i] == session then own = field end
  end
end

local function save_own()
  local values = { own.held, own.held_until }
  for _, entry in ipairs(own.used) do
    table.insert(values, entry.stamp)
    table.insert(values, entry.slots)
  end
  if own.held == 0 and #own.used == 0 then
    redis.call('HDEL', KEYS[1], session)
  else
    redis.call('HSET', KEYS[1], session, cmsgpack.pack(values))
  end
  see(own)
  redis.call('PEXPIREAT', KEYS[1], math.ceil(counts_until))
end

local function ms_until_free(scope, cap, slots)
  local free = cap - scope.taken
  if free >= slots then return 0 end
  table.sort(scope.used, function(one, other) return one.stamp < other.stamp end)
  for _, entry in ipairs(scope.used) do
    free = free + entry.slots
    if free >= slots then return math.ceil(entry.stamp + window - now) end
  end
  return window
end

local function hold(slots)
  own.held = own.held + slots
  own.held_until = math.ceil(now + lease + window)
end

if operation == 'reserve' then
  local slots = tonumber(ARGV[8])
  local wait = math.max(ms_until_free(all, limit, slots), ms_until_free(own, own_limit, slots))
  if wait > 0 then return wait end
  hold(slots)
  save_own()
elseif operation == 'settle' then
  local slots, used = tonumber(ARGV[8]), tonumber(ARGV[9])
  own.held = math.max(0, own.held - slots)
  if used > 0 then add_stamp(own, stamp_of(now), used) end
  save_own()
elseif operation == 'restore' then
  hold(tonumber(ARGV[9]))
  for i = 10, #ARGV, 2 do
    add_stamp(own, stamp_of(now - tonumber(ARGV[i])), tonumber(ARGV[i + 1]))
  end
  save_own()
else
  local scope, cap = all, limit
  if own_limit - own.taken < limit - all.taken then scope, cap = own, own_limit end
  local free = math.max(0, cap - scope.taken)
  return { free, scope.taken == 0 and 0 or ms_until_free(scope, cap, free + 1) }
end
return 0
