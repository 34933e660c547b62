;; Dot products of one query with rows of 8-bit numbers, eight cells at a time.
;; Built into rowDotsWasm.ts by `npm run build:wasm`; a test holds the two together.
;;
;; The query is in 16 bits, so that one instruction multiplies eight pairs and adds them two by two into 32 bits: no sum
;; can overflow below 130,000 cells. Two sums run side by side, because one alone waits for each addition to finish.
(module
  (import "host" "memory" (memory 1))

  ;; $query: 16-bit numbers, $stride of them. $row: the first row. $stride: cells a row, a multiple of 16, at least 16.
  ;; $out: 32-bit sums, one a row. Addresses in bytes.
  (func (export "dots") (param $query i32) (param $row i32) (param $stride i32) (param $count i32) (param $out i32)
    (local $even v128) (local $odd v128) (local $end i32) (local $at i32)
    (block $done
      (loop $rows
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $even (v128.const i32x4 0 0 0 0))
        (local.set $odd (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (local.set $end (i32.add (local.get $row) (local.get $stride)))
        (loop $cells
          (local.set $even
            (i32x4.add
              (local.get $even)
              (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $row)) (v128.load (local.get $at)))))
          (local.set $odd
            (i32x4.add
              (local.get $odd)
              (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $row)) (v128.load offset=16 (local.get $at)))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $cells (i32.lt_u (local.get $row) (local.get $end))))
        (local.set $even (i32x4.add (local.get $even) (local.get $odd)))
        (i32.store
          (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $even)) (i32x4.extract_lane 1 (local.get $even)))
            (i32.add (i32x4.extract_lane 2 (local.get $even)) (i32x4.extract_lane 3 (local.get $even)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $rows)))))
